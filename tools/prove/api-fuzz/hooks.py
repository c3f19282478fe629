"""Extends schemathesis: requests of existing resources, and a check of what the description promises."""

import atexit
import json
import os
import zlib

import schemathesis

# Sets of fields that exist, by method and path or by path; `tests/fuzz/resources.ts` makes them.
RESOURCES = json.loads(os.environ["FUZZ_RESOURCES"])

# Statuses of each operation, which `tests/fuzz/unreached.ts` reads.
STATUSES = {}


@atexit.register
def write_statuses():
    with open(os.environ["FUZZ_STATUSES"], "w") as file:
        json.dump({name: sorted(found) for name, found in STATUSES.items()}, file)


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts existing resources into two of three requests that the description allows."""
    choices = RESOURCES.get(f"{case.method.upper()} {case.path}", RESOURCES.get(case.path, []))
    if not choices or not is_positive(case):
        return
    # A function of the request, so that it is the same when it is repeated.
    draw = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    if draw % 3 == 0:
        return
    fields = choices[draw // 3 % len(choices)]
    for part in (case.path_parameters, case.query, case.body):
        if isinstance(part, dict):
            part.update({name: value for name, value in fields.items() if name in part})


@schemathesis.hook
def after_call(context, case, response):
    """Remembers which answers each operation gave."""
    STATUSES.setdefault(f"{case.method.upper()} {case.path}", set()).add(response.status_code)


@schemathesis.check
def well_formed_by_the_description(ctx, response, case):
    """A request that the description allows may name what does not exist, but its form is right."""
    if not is_positive(case) or response.status_code != 400:
        return
    malformed = [each for each in response.json()["errors"] if each.get("code", "custom") != "custom"]
    assert not malformed, f"The form of a described request is refused: {malformed}"
