#!/usr/bin/env bash
:
