import { getAddress, isAddress, isHex, type Address, type Hex } from 'viem';

/** The answer violates the aggregator's documentation. */
class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';

  constructor(path: string, expected: string) {
    super(`${path} is not ${expected}`);
  }
}

const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;
const HEXADECIMAL = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/i;

/** Reads an aggregator's answer field by field; numbers in it have become their text. */
export class AnswerReader {
  private constructor(
    private readonly fields: Readonly<Record<string, unknown>>,
    private readonly path: string,
  ) {}

  /** @throws UnreadableAnswerError as all methods */
  static of(value: unknown, path: string): AnswerReader {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UnreadableAnswerError(path, 'an object');
    }
    return new AnswerReader(value as Record<string, unknown>, path);
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined && this.fields[name] !== null;
  }

  is(name: string, value: unknown): boolean {
    return this.fields[name] === value;
  }

  object(name: string): AnswerReader {
    return AnswerReader.of(this.fields[name], `${this.path}.${name}`);
  }

  list(name: string): unknown[] {
    const value = this.fields[name];
    if (!Array.isArray(value)) throw this.not(name, 'a list');
    return value;
  }

  address(name: string): Address {
    const value = this.fields[name];
    if (typeof value !== 'string' || !isAddress(value, { strict: false })) {
      throw this.not(name, 'an address');
    }
    return getAddress(value);
  }

  /** Decimal or hexadecimal integer of at most 256 bits. */
  integer(name: string): bigint {
    const value = this.fields[name];
    if (typeof value !== 'string' || !(DECIMAL.test(value) || HEXADECIMAL.test(value))) {
      throw this.not(name, 'an integer');
    }
    return BigInt(value);
  }

  data(name: string): Hex {
    const value = this.fields[name];
    if (!isHex(value, { strict: true }) || value.length % 2 !== 0) {
      throw this.not(name, 'bytes');
    }
    return value;
  }

  private not(name: string, expected: string): UnreadableAnswerError {
    return new UnreadableAnswerError(`${this.path}.${name}`, expected);
  }
}
