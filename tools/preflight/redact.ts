import { readFileSync } from 'node:fs';
import type { Deployment } from './deployment.js';
import type { Finding } from './finding.js';

/** Shorter values would mask ordinary words. */
const MIN_LENGTH = 8;
/** Keys in the paths of URLs are longer than the names beside them. */
const MIN_PATH_LENGTH = 16;
/** Names of variables, and of fields inside their JSON, that hold secrets. */
const SECRET_NAME = /key|secret|password|token|^k$|^d$/i;
const PUBLIC_NAME = /public/i;

/** Masks every secret of the environments in findings, as a last line of defence. */
export function redacted(
  findings: readonly Finding[],
  { services }: Pick<Deployment, 'services'>,
): readonly Finding[] {
  const secrets = services.flatMap(({ env }) =>
    Object.entries(env).flatMap(([name, value]) => secretsIn(name, textOf(name, value ?? ''))),
  );
  const unique = [...new Set(secrets)].sort((one, other) => other.length - one.length);
  const mask = (text: string): string =>
    unique.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
  return findings.map(({ found, action, ...finding }) => ({
    ...finding,
    ...(found !== undefined && { found: mask(found) }),
    ...(action !== undefined && { action: mask(action) }),
  }));
}

/** Value of a variable, or of the file that `<NAME>_FILE` names. */
function textOf(name: string, value: string): string {
  if (!name.endsWith('_FILE')) return value;
  try {
    return readFileSync(value, 'utf8').trim();
  } catch {
    return value;
  }
}

function secretsIn(name: string, value: string): readonly string[] {
  const parsed = jsonOf(value);
  const isSecret = SECRET_NAME.test(name) && !PUBLIC_NAME.test(name);
  const values =
    parsed === undefined
      ? [...(isSecret ? [value, ...value.split(',')] : []), ...passwordsIn(value)]
      : fields(parsed);
  return values.filter((text) => text.length >= MIN_LENGTH);
}

function jsonOf(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function fields(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'string' && SECRET_NAME.test(name) ? [inner] : fields(inner),
  );
}

/** Passwords and keys in URLs, which may be several, separated by commas. */
const passwordsIn = (value: string): readonly string[] =>
  value.split(',').flatMap((part) => {
    if (!URL.canParse(part.trim())) return [];
    const { password, pathname, search } = new URL(part.trim());
    const inPath = pathname.split('/').filter(({ length }) => length >= MIN_PATH_LENGTH);
    return [password, decodeURIComponent(password), ...inPath, search.slice(1)];
  });
