import { readFileSync } from 'node:fs';
import { schemaChanges } from './oasdiff.mjs';

/** Extensions that say who may call an operation; oasdiff does not compare them. */
const ACCESS = ['x-permission', 'x-secret-key-only'];

/** Types of timeline entries are described as a list that grows. */
const NEW_TIMELINE_TYPE =
  /^GET \/payments\/timeline: added the new `[^`]+` enum value to the `(entries|omitted)\/items\/type` response property /;

/**
 * Lists the changes between two files that break clients of the first.
 * @throws Error when a document cannot be read
 */
export function breakingChanges(released, current) {
  const operations = operationsInBoth(read(released), read(current));
  const schemas = schemaChanges(released, current).filter((it) => !NEW_TIMELINE_TYPE.test(it));
  return [...schemas, ...operations.flatMap(accessChanges)];
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Operations that both descriptions have, each as it was and as it is. */
const operationsInBoth = ({ paths: released }, { paths: current }) =>
  Object.entries(released).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, before]) => {
      const now = current[path]?.[method];
      return now === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, before, now }];
    }),
  );

/** Lists what keys with the released access may no longer do. */
const accessChanges = ({ name, before, now }) =>
  ACCESS.filter((each) => now[each] !== undefined && now[each] !== before[each]).map(
    (each) => `${name}: ${each} ${before[each] ?? 'none'} became ${now[each]}`,
  );
