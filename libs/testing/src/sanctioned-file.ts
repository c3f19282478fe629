import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A list of sanctioned addresses that a test changes while the service runs. */
export class SanctionedFile {
  private readonly directory = mkdtempSync(join(tmpdir(), 'bascule-sanctioned-'));
  readonly path = join(this.directory, 'sanctioned.txt');

  constructor() {
    this.list();
  }

  list(...addresses: readonly string[]): void {
    const draft = `${this.path}.new`;
    writeFileSync(draft, addresses.map((address) => `${address}\n`).join(''));
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
