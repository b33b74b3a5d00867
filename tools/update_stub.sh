#!/usr/bin/env bash
# Writes python/solway/_core.pyi anew from the built extension module.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHONPATH=python .venv/bin/python -m pybind11_stubgen solway._core -o python --exit-code
