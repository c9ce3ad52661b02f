# Every target sets up its own virtual environment, with uv where there is one, else with venv and
# pip. All that is needed is make and Python 3.11 or newer (PYTHON=... chooses one).

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONWARNDEFAULTENCODING :=

VENV := .venv
# On Windows, make runs in Git's bash.
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
EXE := $(if $(filter Windows_NT,$(OS)),.exe)
STAMPS := $(VENV)/.stamps
DEMO := build/demo
comma := ,
LLM_PORT ?= 8115
# The build that is tested.
TORCH ?= torch==2.13.0
# The package with the bundled models, on which the extra `nli` depends.
MODELS := ./research/models/groundtypes-nli

.PHONY: help demo test test-agents test-all test-browser test-engines test-frameworks test-judge test-platforms test-pydantic test-torch test-llm lint types imports docs wheel sdist bench bench-report fuzz llm-start llm-stop clean

help: ## Show the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# A run that finds rejected rows ends with exit code 1, which is no failure here.
define check
	@status=0; $(BIN)/groundtypes check cookbook/data/$(1).jsonl --show 3 --overwrite $(2) \
	  --clean $(DEMO)/$(1).clean.jsonl --rejected $(DEMO)/$(1).rejected.jsonl \
	  --audits $(DEMO)/$(1).audits.jsonl || status=$$?; \
	  if [ $$status -gt 1 ]; then exit $$status; fi
	@$(BIN)/groundtypes report $(DEMO)/$(1).audits.jsonl --output $(DEMO)/$(1).html --title $(1) \
	  --overwrite
	@echo
endef

demo: $(STAMPS)/run ## Show what is wrong in two files of real answers, and how often people agree
	@mkdir -p $(DEMO)
	@echo "1. Answers that quote Wikipedia: does each quote occur in its reference?"
	$(call check,answers,)
	@echo "2. The same answers as a data set to train on: slips are repaired, other faults left out."
	@$(BIN)/groundtypes dataset cookbook/data/answers.jsonl --output $(DEMO)/data --policy snap \
	  --overwrite 2> /dev/null
	@echo
	@echo "3. Statements that people have labelled: does the reference support each, and do they agree?"
	$(call check,statements,--model groundtypes.models:EntailedAnswer)
	@echo "Open the pages in a browser: file://$(abspath $(DEMO)/answers.html)"
	@echo "and file://$(abspath $(DEMO)/statements.html)"

test: $(STAMPS)/test ## Run the tests that need no browser, no torch and no language model
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not browser and not judge and not llm and not torch"

test-all: test test-agents test-browser test-engines test-frameworks test-platforms test-pydantic test-torch test-judge test-llm ## Run all tests

test-agents: $(STAMPS)/agents ## Run the tests with agents of OpenAI, LangChain, CrewAI and Google (in a place of its own)
	$(VENV)-agents/bin/python -m pytest -n auto -m agents -p no:asyncio -o filterwarnings=default tests/cookbook/test_agents.py

test-browser: $(STAMPS)/browser $(STAMPS)/docs ## Run the tests in Chromium (apt-get install chromium)
	$(BIN)/python -m pytest -m browser tests/report tests/docs

test-engines: $(STAMPS)/engines ## Run the tests with Ray, Spark, Daft and others (in a place of its own; Java for Spark)
	$(VENV)-engines/bin/python -m pytest -m engines tests/batch tests/ray

test-frameworks: $(STAMPS)/frameworks ## Run the tests with DSPy, Haystack, LiteLLM and LlamaIndex (in a place of its own)
	$(VENV)-frameworks/bin/python -m pytest -m frameworks tests/cookbook

test-platforms: $(STAMPS)/platforms ## Run the tests with MLflow, Langfuse, DeepEval and others (in a place of its own)
	$(VENV)-platforms/bin/python -m pytest -m platforms -p no:asyncio -o filterwarnings=default tests/integrations/platforms

test-torch: $(STAMPS)/torch ## Run the tests with PyTorch (installs it, in a place of its own)
	$(VENV)-torch/bin/python -m pytest -m torch tests/backends/test_nli_checkers.py tests/backends/test_nli_torch.py tests/backends/test_nli_causal.py tests/research/training \
	  tests/dataset/build/test_consumers.py

test-judge: $(STAMPS)/torch $(STAMPS)/test ## Run the tests with the judge (installs PyTorch, fetches its base model, 1.1 GB)
	export GROUNDTYPES_JUDGE_BASE=$$($(BIN)/python research/scripts/local_llm.py fetch); \
	  $(VENV)-torch/bin/python -m pytest -m judge tests/backends/test_judge.py; \
	  export GROUNDTYPES_JUDGE_LORA=$(CURDIR)/build/judge.gguf; mkdir -p build; \
	  $(VENV)-torch/bin/python research/scripts/judge_gguf.py $$GROUNDTYPES_JUDGE_LORA; \
	  $(BIN)/python -m pytest -m judge tests/backends/test_nli_served.py

test-pydantic: $(STAMPS)/pydantic ## Run Pydantic's own tests with Grounded in the place of BaseModel
	$(BIN)/python -m scripts.pydantic_suite --modes swap rounds

test-llm: $(STAMPS)/test ## Run the tests with a real language model (fetches one, 1.1 GB)
	trap '$(BIN)/python research/scripts/local_llm.py stop' EXIT; \
	  $(BIN)/python research/scripts/local_llm.py start --port $(LLM_PORT); \
	  GROUNDTYPES_LLM_BASE_URL=http://127.0.0.1:$(LLM_PORT)/v1 $(BIN)/python -m pytest -m llm

lint: $(STAMPS)/lint ## Check format and style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMPS)/lint $(STAMPS)/test ## Check the types
	$(BIN)/mypy

imports: $(STAMPS)/lint ## Check the layers of the packages
	$(BIN)/lint-imports

docs: $(STAMPS)/docs $(STAMPS)/test ## Build the documentation into site/, and test its pages
	$(BIN)/mkdocs build --strict --quiet
	$(BIN)/python -m pytest -m "not browser" tests/docs

wheel: $(STAMPS)/run ## Build the wheels of the library and of its bundled models into dist/
	rm -rf dist
	$(PIP) wheel --quiet --no-deps --wheel-dir dist . $(MODELS)

sdist: $(STAMPS)/build ## Build the source distribution into dist/
	rm -f dist/*.tar.gz
	$(BIN)/python -m build --sdist --outdir dist .

bench: $(STAMPS)/benchmarks ## Run the benchmarks (minutes)
	$(BIN)/python -m benchmarks.quote_quality
	$(BIN)/python -m benchmarks.quote_speed
	$(BIN)/python -m benchmarks.overhead

bench-report: $(STAMPS)/benchmarks $(STAMPS)/browser ## Measure the report in Chromium
	$(BIN)/python -m benchmarks.report_speed

fuzz: $(STAMPS)/run ## Look for texts that break the laws of the quote search
	$(BIN)/python -m scripts.fuzz_quotes --seconds 300 --seed $$RANDOM

llm-start: $(STAMPS)/run ## Start the local language model
	$(BIN)/python research/scripts/local_llm.py start --port $(LLM_PORT)

llm-stop: $(STAMPS)/run ## Stop it
	$(BIN)/python research/scripts/local_llm.py stop

clean: ## Remove what was built
	rm -rf build dist site $(VENV) $(VENV)-agents $(VENV)-engines $(VENV)-frameworks $(VENV)-platforms $(VENV)-torch

# --- the virtual environment -----------------------------------------------------------------

PIP := $(BIN)/python -m pip

$(BIN)/python$(EXE):
	@for name in $${PYTHON:-python3.13 python3.12 python3.11 python3 python}; do \
	  if command -v $$name >/dev/null 2>&1 && \
	     $$name -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; \
	  then python=$$(command -v $$name); break; else python=; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "groundtypes needs Python 3.11 or newer; name one: make PYTHON=/path/to/python" >&2; exit 1; \
	fi; \
	echo "Setting up $(VENV) with $$python"; \
	if command -v uv >/dev/null 2>&1; then uv venv --quiet --seed --python "$$python" $(VENV); \
	else "$$python" -m venv $(VENV); "$(BIN)/python" -m pip install --quiet --upgrade 'pip>=25.1'; fi

# One stamp for each set of packages; a change of pyproject.toml makes them anew.
define install
	@mkdir -p $(STAMPS)
	@if command -v uv >/dev/null 2>&1; then \
	  VIRTUAL_ENV=$(VENV) uv pip install --quiet -e '.[$(1)]' -e $(MODELS) $(2); \
	else $(PIP) install --quiet -e '.[$(1)]' -e $(MODELS) $(2); fi
	@touch $@
endef

$(STAMPS)/run: pyproject.toml | $(BIN)/python$(EXE)
	$(call install,cli$(comma)nli,)

$(STAMPS)/test $(STAMPS)/browser $(STAMPS)/lint $(STAMPS)/docs $(STAMPS)/build $(STAMPS)/benchmarks $(STAMPS)/pydantic: pyproject.toml | $(BIN)/python$(EXE)
	$(call install,all,--group $(notdir $@))

$(STAMPS)/pydantic: | $(STAMPS)/test

# Its packages drive the browser; the tests themselves need those of the others.
$(STAMPS)/browser: | $(STAMPS)/test

# Apart from the others, because Google's ADK wants an older OpenTelemetry than Langfuse.
$(STAMPS)/agents: pyproject.toml | $(BIN)/python$(EXE)
	@mkdir -p $(STAMPS)
	$(BIN)/python -m venv $(VENV)-agents
	$(VENV)-agents/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)-agents/bin/python -m pip install --quiet -e '.[instructor,nli]' -e $(MODELS) -e ./research/models/groundtypes-judge --group agents
	@touch $@

# Apart from the others, because these engines are half a gigabyte.
$(STAMPS)/engines: pyproject.toml | $(BIN)/python$(EXE)
	@mkdir -p $(STAMPS)
	$(BIN)/python -m venv $(VENV)-engines
	$(VENV)-engines/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)-engines/bin/python -m pip install --quiet -e '.[cli,nli,parquet,ray]' -e $(MODELS) --group engines
	@touch $@

# Apart from the others, because these frameworks want an older openai.
$(STAMPS)/frameworks: pyproject.toml | $(BIN)/python$(EXE)
	@mkdir -p $(STAMPS)
	$(BIN)/python -m venv $(VENV)-frameworks
	$(VENV)-frameworks/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)-frameworks/bin/python -m pip install --quiet -e '.[instructor]' --group test --group frameworks
	@touch $@

# Apart from the others, because they bring hundreds of packages. The warnings of these are not ours.
$(STAMPS)/platforms: pyproject.toml | $(BIN)/python$(EXE)
	@mkdir -p $(STAMPS)
	$(BIN)/python -m venv $(VENV)-platforms
	$(VENV)-platforms/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)-platforms/bin/python -m pip install --quiet -e '.[deepeval,inspect-ai,langfuse,mlflow,phoenix,pydantic-evals]' --group platforms
	@touch $@

# Apart from the others, so that everything else is seen to work without PyTorch.
$(STAMPS)/torch: pyproject.toml | $(BIN)/python$(EXE)
	@mkdir -p $(STAMPS)
	$(BIN)/python -m venv $(VENV)-torch
	$(VENV)-torch/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)-torch/bin/python -m pip install --quiet $(TORCH) -e '.[judge,nli,parquet,torch]' -e $(MODELS) -e ./research/models/groundtypes-judge --group test --group torch --group train
	@touch $@
