import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { chooseEncoding, encode, encodingFor, type Encoding } from './content-encodings.js';
import { contentHash, entityTag, isKnown } from './entity-tag.js';

export interface CacheableAnswer {
  /** Cache key: the normalised query, and the organisation where answers differ by it. */
  key: string;
  /** Changes whenever the answer may. */
  revision: string | number;
  cacheControl: string;
  /** Made once per key and revision, in a stable order: the tag is a digest of its bytes. */
  body: () => unknown;
}

interface Representation {
  bytes: Buffer;
  tag: string;
  encoding: Encoding;
}

interface Remembered {
  revision: string | number;
  bytes: Buffer;
  hash: string;
  representations: Partial<Record<Encoding, Promise<Representation>>>;
}

const DEFAULT_BYTES = 16 * 1024 * 1024;
/** Overhead of an entry besides its bytes. */
const OVERHEAD_BYTES = 1024;

/** Answers that many clients ask for: serialised and packed once per revision, and `304` for who has them. */
export class AnswerCache {
  private readonly remembered: LRUCache<string, Remembered>;
  private readonly making = new Map<string, Promise<Remembered>>();

  /** @param options.maxBytes of plain and packed bytes together, about */
  constructor({ maxBytes = DEFAULT_BYTES }: { maxBytes?: number } = {}) {
    this.remembered = new LRUCache({
      maxSize: maxBytes,
      // Packed bytes are made later; two encodings together are hardly larger than the plain bytes.
      sizeCalculation: ({ bytes }, key) => 2 * (bytes.length + key.length) + OVERHEAD_BYTES,
    });
  }

  /** Size of the cached answers, measured like `maxBytes`. */
  get bytes(): number {
    return this.remembered.calculatedSize;
  }

  /** Sends it; the handler's reply is taken with `@Res()`. */
  async answer(reply: FastifyReply, wanted: CacheableAnswer): Promise<void> {
    const known = this.remembered.get(wanted.key);
    const answer = known?.revision === wanted.revision ? known : await this.make(wanted);
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
    void reply.type('application/json; charset=utf-8').send(bytes);
  }

  private make(wanted: CacheableAnswer): Promise<Remembered> {
    const { key, revision } = wanted;
    const id = JSON.stringify([key, revision]);
    const begun = this.making.get(id);
    if (begun !== undefined) return begun;
    const made = serialise(wanted)
      .then((answer) => {
        this.remembered.set(key, answer);
        return answer;
      })
      .finally(() => this.making.delete(id));
    this.making.set(id, made);
    return made;
  }
}

async function serialise({ revision, body }: CacheableAnswer): Promise<Remembered> {
  const bytes = Buffer.from(JSON.stringify(await body()), 'utf8');
  return { revision, bytes, hash: contentHash(bytes), representations: {} };
}

function representation(answer: Remembered, encoding: Encoding): Promise<Representation> {
  const { representations, hash } = answer;
  representations[encoding] ??= encode(answer.bytes, encoding).then((bytes) => ({
    bytes,
    encoding,
    tag: entityTag(hash, encoding),
  }));
  return representations[encoding];
}

/** A list may come in several lines. */
const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;
