/** A response with an unexpected shape. */
export class UnreadableAnswer extends Error {
  constructor(path: string, expected: string) {
    super(`${path} is not ${expected}`);
    this.name = 'UnreadableAnswer';
  }
}

/** Longest text; answers reach database rows, events and other services. */
const MAX_TEXT = 4_096;
const YEARS = { first: 2000, last: 2100 };
const DECIMAL = /^(0|[1-9][0-9]{0,59})(\.[0-9]{1,30})?$/;

const WITH_EXPONENT = /^([0-9])(?:\.([0-9]{1,20}))?e(-?)\+?([0-9]{1,2})$/i;

/** Writes a number such as `1.5e-7` without its exponent; any other text stays as it is. */
function withoutExponent(text: string): string {
  const [match, whole = '', fraction = '', minus = '', exponent = ''] =
    WITH_EXPONENT.exec(text) ?? [];
  if (match === undefined) return text;
  const digits = whole + fraction;
  const places = Number(exponent);
  if (minus === '-' && places > 0) return `0.${'0'.repeat(places - 1)}${digits}`;
  const integer = digits.slice(0, places + 1).padEnd(places + 1, '0');
  const rest = digits.slice(places + 1);
  return rest === '' ? integer : `${integer}.${rest}`;
}

/** Lower-case hash of a transaction; undefined for another text. */
export const transactionHashOf = (text: string): `0x${string}` | undefined =>
  /^0x[0-9a-f]{64}$/i.test(text) ? (text.toLowerCase() as `0x${string}`) : undefined;

/** @throws UnreadableAnswer */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableAnswer(path, 'JSON');
  }
}

/** Reads an external JSON object field by field and throws on every unexpected value. */
export class JsonObject {
  private constructor(
    private readonly fields: Readonly<Record<string, unknown>>,
    private readonly path: string,
  ) {}

  static of(value: unknown, path = 'answer'): JsonObject {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UnreadableAnswer(path, 'an object');
    }
    return new JsonObject(value as Record<string, unknown>, path);
  }

  /** Reads the raw bytes of a callback. */
  static parse(bytes: Buffer, path: string): JsonObject {
    return JsonObject.of(parseJson(bytes.toString('utf8'), path), path);
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined && this.fields[name] !== null;
  }

  isText(name: string): boolean {
    return typeof this.fields[name] === 'string' && this.fields[name] !== '';
  }

  is(name: string, value: string): boolean {
    return this.fields[name] === value;
  }

  string(name: string, maxLength = MAX_TEXT): string {
    const value = this.fields[name];
    if (typeof value !== 'string' || value === '') throw this.not(name, 'a string');
    if (value.length > maxLength || value.includes('\0')) throw this.not(name, 'a short text');
    return value;
  }

  /** A text for people: the beginning of it, without control characters. */
  message(name: string, maxLength = 200): string {
    const value = this.fields[name];
    if (typeof value !== 'string' || value === '') throw this.not(name, 'a string');
    return value
      .slice(0, maxLength)
      .replaceAll(/\p{Cc}/gu, ' ')
      .toWellFormed();
  }

  /** A text, or undefined where there is none: a missing, null or empty one. */
  optional(name: string): string | undefined {
    return this.has(name) && !this.is(name, '') ? this.string(name) : undefined;
  }

  /** A non-negative decimal, as a string without sign or exponent. */
  decimal(name: string): string {
    const value = withoutExponent(this.string(name));
    if (!DECIMAL.test(value)) throw this.not(name, 'a decimal');
    return value;
  }

  boolean(name: string): boolean {
    const value = this.fields[name];
    if (typeof value !== 'boolean') throw this.not(name, 'true or false');
    return value;
  }

  /** A non-negative integer. */
  count(name: string): number {
    const value = this.fields[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw this.not(name, 'a count');
    }
    return value;
  }

  date(name: string): Date {
    const value = new Date(this.string(name));
    const year = value.getUTCFullYear();
    if (!(year >= YEARS.first && year <= YEARS.last)) throw this.not(name, 'a date');
    return value;
  }

  transactionHash(name: string): `0x${string}` {
    const hash = transactionHashOf(this.string(name));
    if (hash === undefined) throw this.not(name, 'a transaction hash');
    return hash;
  }

  httpUrl(name: string): string {
    const value = this.string(name);
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
      throw this.not(name, 'an http(s) URL');
    }
    return value;
  }

  object(name: string): JsonObject {
    return JsonObject.of(this.fields[name], `${this.path}.${name}`);
  }

  objects(name: string): JsonObject[] {
    return this.list(name).map((item, index) =>
      JsonObject.of(item, `${this.path}.${name}[${String(index)}]`),
    );
  }

  /** A list of anything, for readers of single entries. */
  list(name: string): unknown[] {
    const value = this.fields[name];
    if (!Array.isArray(value)) throw this.not(name, 'a list');
    return value;
  }

  strings(name: string): string[] {
    return this.list(name).map((item) => {
      if (typeof item !== 'string' || item === '') throw this.not(name, 'a list of strings');
      return item;
    });
  }

  private not(name: string, expected: string): UnreadableAnswer {
    return new UnreadableAnswer(`${this.path}.${name}`, expected);
  }
}

/**
 * Reads each entry of a provider's list, without those that are unreadable: one odd entry hides no other.
 *
 * @throws UnreadableAnswer when it is no list, and when none of its entries is readable
 */
export function readEach<T>(list: unknown, path: string, read: (entry: JsonObject) => T): T[] {
  if (!Array.isArray(list)) throw new UnreadableAnswer(path, 'a list');
  let unreadable: UnreadableAnswer | undefined;
  const results = list.flatMap((entry: unknown, index) => {
    try {
      return [read(JsonObject.of(entry, `${path}[${String(index)}]`))];
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error;
      unreadable = error;
      return [];
    }
  });
  if (unreadable && results.length === 0) throw unreadable;
  return results;
}

/** Value of a field that may be missing or in other words: then undefined. */
export function told<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableAnswer) return undefined;
    throw error;
  }
}
