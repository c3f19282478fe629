import { open } from 'node:fs/promises';
import { Reader, type Response } from 'maxmind';
import type { PublicAddress } from '../addresses/public-address.js';

/** `GeoLite2-City`, `GeoIP2-Country`, `DBIP-Location …`, `city ipv4`; not autonomous systems, not domains. */
const TELLS_PLACES = /city|country|enterprise|location/i;
const PROBES = 1024;

/** A whole database in memory. */
export class DatabaseFile {
  private constructor(
    readonly path: string,
    /** Identifies a version of the file. */
    readonly version: string,
    private readonly reader: Reader<Response>,
  ) {}

  /** @throws Error when the file is unreadable, malformed, of another kind or being written */
  static async read(path: string): Promise<DatabaseFile> {
    const file = await open(path, 'r');
    try {
      const before = versionOf(await file.stat());
      const bytes = await file.readFile();
      const after = versionOf(await file.stat());
      if (before !== after) throw new Error('file is being written');
      const database = new DatabaseFile(path, after, new Reader(bytes));
      database.prove();
      return database;
    } finally {
      await file.close();
    }
  }

  /** Reads the version of the file on disk. */
  static async versionAt(path: string): Promise<string> {
    const file = await open(path, 'r');
    try {
      return versionOf(await file.stat());
    } finally {
      await file.close();
    }
  }

  get builtAt(): Date {
    return this.reader.metadata.buildEpoch;
  }

  get kind(): string {
    return this.reader.metadata.databaseType;
  }

  /** Finds the raw record of an address, or null. */
  find({ family, text }: PublicAddress): unknown {
    // An IPv4-only tree would misread the first bits of an IPv6 address.
    if (family === 6 && this.reader.metadata.ipVersion === 4) return null;
    return this.reader.get(text);
  }

  private prove(): void {
    if (!TELLS_PLACES.test(this.kind)) throw new Error(`a database of "${this.kind}"`);
    for (let probe = 0; probe < PROBES; probe += 1) {
      const [high, low] = [probe >> 2, (probe & 3) << 6];
      this.find({ family: 4, text: `${high}.${low}.0.1` });
      this.find({ family: 6, text: `2${high.toString(16).padStart(3, '0')}:${low}::1` });
    }
  }
}

const versionOf = (stat: { ino: number; size: number; mtimeMs: number }): string =>
  `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
