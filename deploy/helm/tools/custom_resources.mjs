// Validate custom resources, given as a JSON list on stdin; one line for each fault.
import { readFileSync } from "node:fs";

const homes = {
  "gateway.networking.k8s.io/v1": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1",
  "keda.sh/v1alpha1": "@kubernetes-models/keda/keda.sh/v1alpha1",
  "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
};
for (const resource of JSON.parse(readFileSync(0))) {
  const models = await import(`${homes[resource.apiVersion]}/${resource.kind}`);
  try {
    new models[resource.kind](resource).validate();
  } catch (fault) {
    console.log(`${resource.kind}: ${fault.message}`);
  }
}
