import { isAddressEqual, type Address } from 'viem';
import { failureOf } from './node-client.js';

/** Value of a node, compared with the expected one. */
export interface ReadValue {
  check: string;
  address?: Address | undefined;
  expected: string;
  found: string;
  ok: boolean;
  /** The node gave no answer, or none that makes sense. */
  unanswered?: true;
}

/** A value to read from a node. */
export interface Reading {
  check: string;
  address?: Address | undefined;
  expected: string;
  /** Reads the value from a node. Any failure of it is a finding. */
  read: () => Promise<{ found: string; ok: boolean }>;
}

export async function readValue({ read, ...check }: Reading): Promise<ReadValue> {
  try {
    return { ...check, ...(await read()) };
  } catch (error) {
    const failure = failureOf(error);
    const found = `could not be read: ${failure}`;
    // A contract without the function is an answer.
    const isAnswer = failure.startsWith('ContractFunction');
    return { ...check, found, ok: false, ...(!isAnswer && { unanswered: true }) };
  }
}

/** Reading of a value that, once written as text, is the expected one. */
export const equals = (
  check: string,
  address: Address | undefined,
  expected: string | number | bigint,
  read: () => Promise<string | number | bigint>,
): Reading => ({
  check,
  address,
  expected: String(expected),
  async read() {
    const found = String(await read());
    return { found, ok: found.toLowerCase() === String(expected).toLowerCase() };
  },
});

export const listed = (addresses: readonly Address[]): string =>
  addresses.length === 0 ? 'none' : addresses.join(', ');

export const contains = (addresses: readonly Address[], address: Address): boolean =>
  addresses.some((each) => isAddressEqual(each, address));

/** Whether both lists hold the same addresses, in any order. */
export const isSameSet = (some: readonly Address[], others: readonly Address[]): boolean =>
  some.every((each) => contains(others, each)) && others.every((each) => contains(some, each));
