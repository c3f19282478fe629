import { type Address, getAddress, type Hex, isAddress } from 'viem';
import { isUuid } from './uuid.js';

const INTEGER = /^(0|[1-9][0-9]{0,77})$/;
const BYTES = /^0x([0-9a-f]{2})*$/;
const MAX_UINT256 = 2n ** 256n - 1n;

/** JSON that does not have the shape it should; `path` says where. */
export class MalformedJsonError extends Error {
  override readonly name = 'MalformedJsonError';

  constructor(
    readonly path: string,
    readonly expected: string,
  ) {
    super(`${path}: expected ${expected}`);
  }
}

/** Reads untrusted JSON, refusing everything that is not exactly what is asked for. */
export class StrictReader {
  constructor(
    private readonly value: unknown,
    private readonly path: string,
  ) {}

  /** An object with exactly these keys. */
  fields<Key extends string>(keys: readonly Key[]): Record<Key, StrictReader> {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.refuse('an object');
    const entries = new Map<string, unknown>(Object.entries(value));
    const unknown = [...entries.keys()].find((key) => !keys.some((known) => known === key));
    if (unknown !== undefined)
      throw new MalformedJsonError(`${this.path}.${unknown}`, 'no such key');
    const readers = keys.map((key) => [
      key,
      new StrictReader(entries.get(key), `${this.path}.${key}`),
    ]);
    return Object.fromEntries(readers) as Record<Key, StrictReader>;
  }

  items<T>(read: (item: StrictReader) => T): T[] {
    if (!Array.isArray(this.value)) this.refuse('an array');
    return this.value.map((item, index) => read(new StrictReader(item, `${this.path}[${index}]`)));
  }

  /** A decimal string of an unsigned integer of at most 256 bits. */
  integer(): bigint {
    const digits = this.text(INTEGER, 'an unsigned integer as a decimal string');
    const integer = BigInt(digits);
    if (integer > MAX_UINT256) this.refuse('at most 256 bits');
    return integer;
  }

  address(): Address {
    const { value } = this;
    if (typeof value !== 'string' || !isAddress(value)) this.refuse('an address');
    return getAddress(value);
  }

  bytes(): Hex {
    return this.text(BYTES, 'bytes in lower-case hexadecimal') as Hex;
  }

  uuid(): string {
    const { value } = this;
    if (typeof value !== 'string' || !isUuid(value)) this.refuse('a UUID in lower case');
    return value;
  }

  refuse(expected: string): never {
    throw new MalformedJsonError(this.path, expected);
  }

  private text(pattern: RegExp, expected: string): string {
    const { value } = this;
    if (typeof value !== 'string' || !pattern.test(value)) this.refuse(expected);
    return value;
  }
}
