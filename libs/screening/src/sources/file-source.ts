import { open, stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import type { Address } from 'viem';
import type { ScreeningSource } from '../screening-source.js';
import { parseAddressList } from './address-list.js';

const MAX_BYTES = 16n * 1024n * 1024n;

interface Version {
  id: string;
  /** The list, or why the file has none. */
  content: { addresses: ReadonlySet<Address> } | { problem: Error };
}

/** A file of addresses, read again when it has changed. A malformed or missing one gives no answer. */
export class FileSource implements ScreeningSource {
  readonly name = 'file';
  readonly isCacheable = false;
  private version: Version | undefined;
  private reading: Promise<Version> | undefined;

  constructor(private readonly path: string) {}

  async screen(addresses: readonly Address[]): Promise<ReadonlySet<Address>> {
    const { content } = await this.current();
    if ('problem' in content) throw content.problem;
    return new Set(addresses.filter((address) => content.addresses.has(address)));
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
      return { id: versionOf(stats), content: contentOf(this.path, text) };
    } finally {
      await file.close();
    }
  }
}

const versionOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join('/');

function contentOf(path: string, text: string): Version['content'] {
  try {
    return { addresses: parseAddressList(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: new Error(`${path} is no list of addresses: ${reason}`) };
  }
}
