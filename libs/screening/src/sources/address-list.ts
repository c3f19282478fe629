import type { Address } from 'viem';

const ADDRESS = /^0x[0-9a-f]{40}$/;
const COUNT = /^\uFEFF?#[ \t]*addresses:[ \t]*(\d+)[ \t\r]*$/im;

/** A list that may have lost addresses. */
export class IncompleteListError extends Error {
  override readonly name = 'IncompleteListError';
}

export interface AddressList {
  addresses: ReadonlySet<Address>;
  /** Entries, of which some may be the same. */
  length: number;
}

/**
 * Refuses a list that may be truncated. A line `# addresses: <number>` proves that it is complete with so many entries, and
 * refuses any other number. Without it, a list is refused that has no former one to be compared with, is empty, has no end
 * of its last line, or lost more than half of the former one.
 * @throws IncompleteListError
 */
export function requireComplete(
  text: string,
  { addresses: { size }, length }: AddressList,
  former: number | undefined,
): void {
  const stated = COUNT.exec(text)?.[1];
  if (stated !== undefined) {
    if (Number(stated) === length) return;
    throw new IncompleteListError(`expected ${stated} addresses, found ${length}`);
  }
  const hint = `add a line "# addresses: ${length}" if it is complete`;
  if (size === 0) throw new IncompleteListError(`expected addresses, found none; ${hint}`);
  if (former === undefined) {
    throw new IncompleteListError(`expected the number of addresses, found none; ${hint}`);
  }
  if (!text.endsWith('\n')) {
    throw new IncompleteListError(`expected the end of the last line, found none; ${hint}`);
  }
  if (size * 2 < former) {
    throw new IncompleteListError(`expected about ${former} addresses, found ${size}; ${hint}`);
  }
}

/**
 * Parses one address per line; `#` begins a comment.
 * @throws Error with the line of the first malformed address
 */
export function parseAddressList(text: string): AddressList {
  const addresses = new Set<Address>();
  let length = 0;
  text.split(/\r?\n/).forEach((line, index) => {
    const entry = line
      .replace(/^\uFEFF/, '')
      .replace(/#.*$/, '')
      .trim()
      .toLowerCase();
    if (entry === '') return;
    if (!ADDRESS.test(entry)) throw new Error(`line ${index + 1}: expected an address`);
    addresses.add(entry as Address);
    length += 1;
  });
  return { addresses, length };
}
