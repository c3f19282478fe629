import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { chooseEncoding, encode, encodingFor, type Encoding } from './content-encodings.js';
import { contentHash, entityTag, isKnown } from './entity-tag.js';

export interface CacheableAnswer {
  /** Cache key: the normalised query, and the organisation if answers differ by it. */
  key: string;
  /** Changes whenever the answer may. */
  revision: string | number;
  cacheControl: string;
  /** Media type; by default that of JSON. */
  type?: string;
  /** A buffer is sent as it is, all else as JSON. Created once per key and revision, in a stable order: the tag is a digest of its bytes. */
  body: () => unknown;
}

interface Representation {
  bytes: Buffer;
  tag: string;
  encoding: Encoding;
}

interface CacheEntry {
  revision: string | number;
  bytes: Buffer;
  hash: string;
  representations: Partial<Record<Encoding, Promise<Representation>>>;
}

const DEFAULT_BYTES = 16 * 1024 * 1024;
/** Overhead of an entry besides its bytes. */
const OVERHEAD_BYTES = 1024;

/** Caches serialised and compressed answers per revision, and answers `304` to clients that have them. */
export class AnswerCache {
  private readonly entries: LRUCache<string, CacheEntry>;
  private readonly pending = new Map<string, Promise<CacheEntry>>();

  /** @param options.maxBytes approximate limit of plain and compressed bytes together */
  constructor({ maxBytes = DEFAULT_BYTES }: { maxBytes?: number } = {}) {
    this.entries = new LRUCache({
      maxSize: maxBytes,
      // Compressed bytes are added later; two encodings together are hardly larger than the plain bytes.
      sizeCalculation: ({ bytes }, key) => 2 * (bytes.length + key.length) + OVERHEAD_BYTES,
    });
  }

  /** Size of the cached answers, measured like `maxBytes`. */
  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /** Sends the answer; the handler takes its reply with `@Res()`. */
  async answer(reply: FastifyReply, wanted: CacheableAnswer): Promise<void> {
    const cached = this.entries.get(wanted.key);
    const answer = cached?.revision === wanted.revision ? cached : await this.createEntry(wanted);
    const { headers } = reply.request;
    const accepted = headerText(headers['accept-encoding']);
    const encoding = encodingFor(answer.bytes, chooseEncoding(accepted));
    const { bytes, tag } = await representation(answer, encoding);
    void reply
      .header('etag', tag)
      .header('cache-control', wanted.cacheControl)
      .header('vary', 'Accept-Encoding');
    if (isKnown(headerText(headers['if-none-match']), tag)) {
      void reply.code(304).send();
      return;
    }
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    void reply.type(wanted.type ?? 'application/json; charset=utf-8').send(bytes);
  }

  private createEntry(wanted: CacheableAnswer): Promise<CacheEntry> {
    const { key, revision } = wanted;
    const id = JSON.stringify([key, revision]);
    const inProgress = this.pending.get(id);
    if (inProgress !== undefined) return inProgress;
    const entry = serialise(wanted)
      .then((answer) => {
        this.entries.set(key, answer);
        return answer;
      })
      .finally(() => this.pending.delete(id));
    this.pending.set(id, entry);
    return entry;
  }
}

async function serialise({ revision, body }: CacheableAnswer): Promise<CacheEntry> {
  const value = await body();
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value), 'utf8');
  return { revision, bytes, hash: contentHash(bytes), representations: {} };
}

function representation(answer: CacheEntry, encoding: Encoding): Promise<Representation> {
  const { representations, hash } = answer;
  representations[encoding] ??= encode(answer.bytes, encoding).then((bytes) => ({
    bytes,
    encoding,
    tag: entityTag(hash, encoding),
  }));
  return representations[encoding];
}

/** Joins a header that is sent in several lines. */
const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;
