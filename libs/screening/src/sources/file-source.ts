import { open, stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import type { Address } from 'viem';
import { allAnswered } from '../screening-source.js';
import type { ScreeningSource, Verdicts } from '../screening-source.js';
import { IncompleteListError, parseAddressList, requireComplete } from './address-list.js';

const MAX_BYTES = 16n * 1024n * 1024n;

interface Version {
  id: string;
  /** The list, or why the file has none. */
  content: { addresses: ReadonlySet<Address>; outdated?: Error } | { problem: Error };
}

/**
 * A file of addresses, read again when it has changed. A malformed or missing one gives no answer; in place of one that may
 * be truncated, the former list answers.
 */
export class FileSource implements ScreeningSource {
  readonly name = 'file';
  readonly isRemote = false;
  private version: Version | undefined;
  private reading: Promise<Version> | undefined;

  constructor(private readonly path: string) {}

  get outdated(): Error | undefined {
    const content = this.version?.content;
    return content && 'addresses' in content ? content.outdated : undefined;
  }

  async screen(addresses: readonly Address[]): Promise<Verdicts> {
    const { content } = await this.current();
    if ('problem' in content) throw content.problem;
    return allAnswered(addresses.filter((address) => content.addresses.has(address)));
  }

  private async current(): Promise<Version> {
    const id = versionOf(await stat(this.path, { bigint: true }));
    if (this.version?.id === id) return this.version;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    this.version = await this.reading;
    return this.version;
  }

  private async read(): Promise<Version> {
    const file = await open(this.path);
    try {
      const stats = await file.stat({ bigint: true });
      if (stats.size > MAX_BYTES) throw new Error(`${this.path} exceeds ${MAX_BYTES} bytes`);
      const text = await file.readFile('utf8');
      return { id: versionOf(stats), content: this.contentOf(text) };
    } finally {
      await file.close();
    }
  }

  private contentOf(text: string): Version['content'] {
    const former = this.version?.content;
    const known = former && 'addresses' in former ? former.addresses : undefined;
    try {
      const list = parseAddressList(text);
      requireComplete(text, list, known?.size);
      return { addresses: list.addresses };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const problem = new Error(`${this.path} is no list of addresses: ${reason}`);
      const isKept = known !== undefined && error instanceof IncompleteListError;
      return isKept ? { addresses: known, outdated: problem } : { problem };
    }
  }
}

const versionOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join('/');
