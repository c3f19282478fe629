import type { ValidationError } from '@bascule/contracts';
import { getMetadataStorage } from 'class-validator';
import { typeOf } from './constraint-table.js';
import { nestedTypesOf } from './nested-types.js';

type DtoClass = new () => object;
type Path = ValidationError['path'];

/** Maximum length of an array whose DTO sets none. */
const DEFAULT_MAX_ITEMS = 1_000;

const maxima = new WeakMap<DtoClass, ReadonlyMap<string, number>>();

/** Maximum length of each array of a DTO class. */
function maximaOf(dto: DtoClass): ReadonlyMap<string, number> {
  const known = maxima.get(dto);
  if (known !== undefined) return known;
  const all = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const found = new Map<string, number>();
  for (const { name, propertyName } of all) {
    if (name === 'isArray') found.set(propertyName, DEFAULT_MAX_ITEMS);
  }
  for (const { name, propertyName, constraints } of all) {
    const max: unknown = constraints?.[0];
    if (name === 'arrayMaxSize' && typeof max === 'number') found.set(propertyName, max);
  }
  maxima.set(dto, found);
  return found;
}

/** Input in which stand-ins replace what is refused before the validation. */
interface BoundedInput {
  input: object;
  problems: ValidationError[];
}

/**
 * Refuses arrays that are too long, and arrays in place of objects, so that no element of theirs is converted or
 * validated.
 */
export function boundedInput(dto: DtoClass, plain: object): BoundedInput {
  const problems: ValidationError[] = [];
  return { input: bounded(dto, plain, { path: [], problems }), problems };
}

/** Errors at or below a problem that was refused before the validation are errors of its stand-in. */
export const withoutStandIns = (
  errors: readonly ValidationError[],
  refused: readonly ValidationError[],
): ValidationError[] =>
  errors.filter(
    ({ path }) => !refused.some((problem) => problem.path.every((key, at) => path[at] === key)),
  );

interface Walk {
  path: Path;
  problems: ValidationError[];
}

function bounded(dto: DtoClass, plain: object, { path, problems }: Walk): object {
  const fields = new Map<string, unknown>(Object.entries(plain));
  for (const [property, max] of maximaOf(dto)) {
    const value = fields.get(property);
    if (!Array.isArray(value) || value.length <= max) continue;
    const message = `${property} must contain no more than ${max} elements`;
    problems.push({ code: 'too_big', path: [...path, property], message });
    fields.set(property, []);
  }
  for (const [property, { isArray, classOf }] of nestedTypesOf(dto)) {
    const value = fields.get(property);
    const within = (each: unknown, at: Path): unknown => {
      if (Array.isArray(each)) return refuseArray(each, { path: at, problems });
      if (typeof each !== 'object' || each === null) return each;
      return bounded(classOf(each), each, { path: at, problems });
    };
    const at = [...path, property];
    if (isArray && Array.isArray(value)) {
      fields.set(
        property,
        value.map((each: unknown, index) => within(each, [...at, index])),
      );
    } else if (!isArray && fields.has(property)) fields.set(property, within(value, at));
  }
  return Object.fromEntries(fields);
}

function refuseArray(value: unknown[], { path, problems }: Walk): object {
  const message = `Expected object, received ${typeOf(value)}.`;
  problems.push({ code: 'invalid_type', expected: 'object', path, message });
  return {};
}
