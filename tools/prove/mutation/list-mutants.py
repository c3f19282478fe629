"""Writes every mutant that slither-mutate would make of the contracts, as JSON."""

import inspect
import json
import sys
from os.path import relpath
from pathlib import Path

from slither import Slither
from slither.tools.mutator.mutators import all_mutators
from slither.tools.mutator.mutators.abstract_mutator import AbstractMutator

root, out = sys.argv[1:]
MUTATORS = [
    mutator
    for _, mutator in inspect.getmembers(all_mutators, inspect.isclass)
    if issubclass(mutator, AbstractMutator) and mutator is not AbstractMutator
]


def place(contract, start):
    """The function in which the mutant is."""
    for function in contract.functions_and_modifiers_declared:
        source = function.source_mapping
        if source.start <= start < source.start + source.length:
            return function.name
    return ""


def patches(mutator, contract):
    """Function by function where a mutator fails: one looks for the operands of a comparison within assembly."""
    try:
        return [mutator._mutate()]
    except IndexError:
        return [result for function in contract.functions_declared for result in of_function(mutator, function)]


def of_function(mutator, function):
    mutator.should_mutate_function = lambda candidate: candidate is function
    try:
        return [mutator._mutate()]
    except IndexError:
        print(f"{mutator.NAME} cannot mutate {function.canonical_name}", file=sys.stderr)
        return []


def mutants(unit, contract, file):
    for mutator in MUTATORS:
        made = mutator(unit, 0, "", "", contract, None, False, Path("."), [])
        for result in patches(made, contract):
            for patch in (patch for of_file in result.get("patches", {}).values() for patch in of_file):
                yield {
                    "file": file,
                    "place": place(contract, patch["start"]),
                    "mutator": mutator.NAME,
                    "start": patch["start"],
                    "end": patch["end"],
                    "before": patch["old_string"],
                    "after": patch["new_string"],
                }


found = []
for unit in Slither(root, foundry_out_directory=out).compilation_units:
    for contract in unit.contracts:
        file = relpath(contract.source_mapping.filename.absolute, root)
        if file.startswith("contracts/") and not contract.is_interface:
            found.extend(mutants(unit, contract, file))
json.dump(found, sys.stdout)
