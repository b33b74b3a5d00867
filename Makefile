# make test   set up, build, run all tests
# make demo   set up, build, run examples/demo.py
# make pages  set up, build, write anew what the compiler writes of docs/, and the stub of the module
# All are safe to repeat. PRESET=release builds with optimisation.

PRESET ?= dev
BUILD := build/$(PRESET)
PYTHON := .venv/bin/python

.PHONY: all setup build test demo pages clean

all: build

setup:
	@tools/setup.sh

build: setup
	@mkdir -p build
	@cmake --preset $(PRESET) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@cmake --build --preset $(PRESET)

test: build
	@ctest --preset $(PRESET) --progress -j $$(nproc)
	@$(PYTHON) -m pytest -n $$(nproc) --dist worksteal

demo: build
	@$(PYTHON) examples/demo.py

pages: build
	@tools/update_stub.sh
	@$(PYTHON) tools/generate_architecture.py
	@$(PYTHON) tools/generate_errors.py
	@$(PYTHON) tools/render_tutorials.py

clean:
	rm -rf build python/solway/_core*.so
