// Calls of the server: JSON both ways, with the CSRF token of the visit. No address holds text.

export const ENDED = "You were logged out. Log in again to go on.";

let csrf = "";

export function useToken(token) {
  csrf = token;
}

export class Refusal extends Error {
  constructor(status, body, retryAfter) {
    super(body.error || (body.mistakes || []).join("\n") || `The server answered ${status}.`);
    this.status = status;
    this.mistakes = body.mistakes || [];
    this.retryAfter = retryAfter;
  }
}

export async function call(method, path, body, polling = false) {
  const raw = body instanceof Blob;
  const headers = { "X-CSRF-Token": csrf };
  if (polling) headers["X-Poll"] = "1";
  if (raw) {
    // Its end says of what kind it is; encoded, a sign takes up to twelve.
    headers["X-File-Name"] = encodeURIComponent([...(body.name || "file")].slice(-80).join(""));
    headers["Content-Type"] = "application/octet-stream";
  } else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: raw ? body : body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    throw new Refusal(0, { error: "The server cannot be reached." });
  }
  const kind = answer.headers.get("Content-Type") || "";
  const content = answer.status !== 204 && kind.startsWith("application/json") ? await answer.json() : null;
  if (!answer.ok) {
    if (answer.status === 401 && path !== "/api/login") {
      window.dispatchEvent(new Event("logged-out"));
      throw new Refusal(401, { error: ENDED });
    }
    throw new Refusal(answer.status, content || {}, answer.headers.get("Retry-After"));
  }
  return content;
}

export const get = (path) => call("GET", path);
// What the page asks by itself: it does not keep a login from ending.
export const poll = (path) => call("GET", path, undefined, true);
export const post = (path, body) => call("POST", path, body);
export const put = (path, body) => call("PUT", path, body);
export const remove = (path) => call("DELETE", path);

// A link with "download" keeps the page; the cookie goes along, since it is the same site.
export function take(path) {
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
