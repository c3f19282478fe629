import { readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { getAddress } from 'viem';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** RFC 3986: brackets only around an IPv6 host, `%` only before two hexadecimal digits. */
const URI = /^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#\s]+)?(?:[\w\-.~:/?#@!$&'()*+,;=]|%[0-9a-f]{2})*$/i;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const FORMATS: Record<string, (text: string) => boolean> = {
  'checksummed-address': (text) => isChecksummed(text),
  'uuid-v7': (text) => UUID_V7.test(text),
  'utc-timestamp': (text) => UTC.test(text) && isRealDate(text),
  'http-url': (text) => /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text),
  uri: (text) => URI.test(text) && URL.canParse(text),
  ip: (text) => isIP(text) !== 0,
};

const DETAILS = ['additionalProperty', 'propertyName', 'allowedValues', 'allowedValue'];

const FOLDER = new URL('.', import.meta.url);

function isChecksummed(text: string): boolean {
  try {
    return getAddress(text) === text;
  } catch {
    return false;
  }
}

/** Refuses a 30 February, which `Date` reads as a day in March. */
const isRealDate = (text: string): boolean => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19);
};

const schemas = (): object[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.schema.json'))
    .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as object);

/** Compiles the schemas, and lists the violations of one of them. */
export class Validator {
  private readonly ajv: Ajv2020;

  constructor() {
    this.ajv = new Ajv2020({
      allErrors: true,
      strict: true,
      strictRequired: false,
      strictTypes: false,
    });
    for (const [name, isValid] of Object.entries(FORMATS)) this.ajv.addFormat(name, isValid);
    for (const schema of schemas()) this.ajv.addSchema(schema);
  }

  violations(reference: string, body: unknown): string[] {
    const validate = this.ajv.getSchema(reference);
    if (!validate) throw new Error(`Expected a schema at ${reference}, found none.`);
    if (validate(body)) return [];
    const found = (validate.errors ?? [])
      // The violated branch is listed by itself.
      .filter(({ keyword }) => keyword !== 'if')
      .map((error) => describe(error, body));
    return [...new Set(found)];
  }
}

function describe({ instancePath, keyword, message = '', params }: ErrorObject, body: unknown) {
  const place = instancePath || '/';
  const value = JSON.stringify(valueAt(body, instancePath)) ?? 'undefined';
  const shown = value.length > 120 ? `${value.slice(0, 120)}…` : value;
  const text = keyword === 'false schema' ? 'must be absent' : message;
  const details = DETAILS.map((name) => (params as Record<string, unknown>)[name])
    .filter((detail) => detail !== undefined)
    .map((detail) => ` ${JSON.stringify(detail)}`)
    .join('');
  return `${place}: ${text}${details} (found ${shown})`;
}

function valueAt(body: unknown, pointer: string): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[key]
        : undefined,
    body,
  );
}
