import { readFileSync } from 'node:fs';
import { schemaChanges } from './oasdiff.mjs';

/** Extensions that say who may call an operation; oasdiff does not compare them. */
const ACCESS = ['x-permission', 'x-secret-key-only'];

/**
 * Lists the changes between two files that break clients of the first.
 * @throws Error when a document cannot be read
 */
export const breakingChanges = (released, current) => [
  ...schemaChanges(released, current),
  ...accessChanges(read(released), read(current)),
];

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Lists the operations that keys with the released access may no longer call. */
function accessChanges({ paths: released }, { paths: current }) {
  return Object.entries(released).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, before]) => {
      const now = current[path]?.[method];
      return now === undefined
        ? []
        : ACCESS.filter((name) => now[name] !== undefined && now[name] !== before[name]).map(
            (name) =>
              `${method.toUpperCase()} ${path}: ${name} ${before[name] ?? 'none'} became ${now[name]}`,
          );
    }),
  );
}
