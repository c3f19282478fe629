import type { ValidationError } from '@bascule/contracts';
import type { ValidationError as Failure } from 'class-validator';
import { hasType, ruleOf, typeOf } from './constraint-table.js';
import { failingElements } from './failing-elements.js';

type Path = ValidationError['path'];

function describe(
  path: Path,
  given: unknown,
  constraint: string,
  message: string,
): ValidationError {
  const { code, expected } = ruleOf(constraint);
  if (expected === undefined || (code !== 'invalid_type' && hasType(given, expected))) {
    return { code, path, message };
  }
  const received = given === undefined ? 'nothing' : typeOf(given);
  return {
    code: 'invalid_type',
    expected,
    path,
    message: `Expected ${expected}, received ${received}.`,
  };
}

function ofConstraint(failure: Failure, path: Path, name: string, message: string) {
  const { target, value } = failure as { target?: object; value?: unknown };
  const indices =
    target !== undefined && Array.isArray(value)
      ? failingElements(target, failure.property, name, value)
      : undefined;
  if (indices === undefined) return [describe(path, value, name, message)];
  const elements = value as unknown[];
  return indices.map((index) =>
    describe([...path, index], elements[index], name, withoutEach(message)),
  );
}

const withoutEach = (message: string): string => message.replace(/^each value in /, '');

/** A wrong type makes every other problem of the same value a mere consequence. */
function withoutConsequences(errors: ValidationError[]): ValidationError[] {
  const kept = new Map<string, ValidationError[]>();
  for (const error of errors) {
    const key = JSON.stringify(error.path);
    const others = kept.get(key) ?? [];
    const isType = error.code === 'invalid_type';
    const [first] = others;
    if (first?.code === 'invalid_type' && (!isType || first.expected !== 'string')) continue;
    kept.set(key, isType ? [error] : [...others, error]);
  }
  return [...kept.values()].flat();
}

/** class-validator's tree of failures as the specification's flat list. */
export function toValidationErrors(
  failures: readonly Failure[],
  parent: Path = [],
): ValidationError[] {
  return failures.flatMap((failure) => {
    const isElement = Array.isArray(failure.target);
    const path = [...parent, isElement ? Number(failure.property) : failure.property];
    const own = Object.entries(failure.constraints ?? {}).flatMap(([name, message]) =>
      ofConstraint(failure, path, name, message),
    );
    return [...withoutConsequences(own), ...toValidationErrors(failure.children ?? [], path)];
  });
}
