import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Text of a complete list, also of an empty one. */
export const addressList = (addresses: readonly string[]): string =>
  [`# addresses: ${addresses.length}`, ...addresses].map((line) => `${line}\n`).join('');

/** A list of sanctioned addresses that a test changes while the service runs. */
export class SanctionedFile {
  private readonly directory = mkdtempSync(join(tmpdir(), 'bascule-sanctioned-'));
  readonly path = join(this.directory, 'sanctioned.txt');

  constructor() {
    this.list();
  }

  list(...addresses: readonly string[]): void {
    const draft = `${this.path}.new`;
    writeFileSync(draft, addressList(addresses));
    renameSync(draft, this.path);
  }

  /** Without the file its source gives no answer. */
  takeAway(): void {
    rmSync(this.path);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
