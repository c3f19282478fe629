import type { ValidationError } from '@bascule/contracts';

type Path = ValidationError['path'];

/** Every problem repeats its path, and a client may make paths long: this bounds the response. */
const MOST_REPORTED = 20;

const isMalformed = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

/** Paths of texts that Postgres cannot store, values and keys alike. */
export function malformedTexts(value: unknown, at: Path = []): ValidationError[] {
  const found: ValidationError[] = [];
  collect(value, [...at], found);
  return found;
}

function collect(value: unknown, path: Path, found: ValidationError[]): void {
  if (typeof value === 'string') {
    if (isMalformed(value)) found.push(problemAt(path));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    if (found.length >= MOST_REPORTED) return;
    path.push(Array.isArray(value) ? Number(key) : key);
    if (isMalformed(key)) found.push(problemAt(path));
    else collect(field, path, found);
    path.pop();
  }
}

const problemAt = (path: Path): ValidationError => ({
  code: 'invalid_format',
  path: [...path],
  message: 'Text must not hold U+0000 or half of a surrogate pair.',
});
