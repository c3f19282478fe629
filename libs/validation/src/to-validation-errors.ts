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

const MOST_TELLING_TYPE: readonly string[] = [
  'array',
  'object',
  'integer',
  'number',
  'boolean',
  'string',
];

const mostTelling = (a: ValidationError, b: ValidationError): number =>
  MOST_TELLING_TYPE.indexOf(a.expected ?? '') - MOST_TELLING_TYPE.indexOf(b.expected ?? '');

/** A wrong type makes every other problem of the same value a mere consequence. */
function withoutConsequences(errors: ValidationError[]): ValidationError[] {
  const byPath = Map.groupBy(errors, (error) => JSON.stringify(error.path));
  return [...byPath.values()].flatMap((problems) => {
    const [wrongType] = problems.filter(({ code }) => code === 'invalid_type').sort(mostTelling);
    return wrongType === undefined ? problems : [wrongType];
  });
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
