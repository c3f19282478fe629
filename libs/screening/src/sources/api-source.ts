import { JsonClient, PeerError, unexpectedStatus } from '@bascule/json-client';
import type { Address } from 'viem';
import { allAnswered } from '../screening-source.js';
import type { ScreeningSource, Verdicts } from '../screening-source.js';

export interface ScreeningApi {
  /** Base URL; the call is `POST <url>/sanctions/screening`. */
  url: string;
  /** Sent as user and password of HTTP Basic. */
  key: string | undefined;
  timeoutMs: number;
}

const PEER = 'screening API';
const PATH = 'sanctions/screening';
const ANSWERED = [200, 201];

/** A REST API that takes `[{address}]` and answers `[{address, isSanctioned}]`. */
export class ApiSource implements ScreeningSource {
  readonly name = 'api';
  readonly isRemote = true;
  private readonly client: JsonClient;

  constructor({ url, key, timeoutMs }: ScreeningApi) {
    this.client = new JsonClient({
      peer: PEER,
      baseUrl: url,
      timeoutMs,
      headers: key === undefined ? {} : { authorization: basic(key) },
    });
  }

  /** @throws PeerError unless the answer has exactly one verdict for each address */
  async screen(addresses: readonly Address[], signal: AbortSignal): Promise<Verdicts> {
    const question = addresses.map((address) => ({ address }));
    const { status, body } = await this.client.post(PATH, question, signal);
    if (!ANSWERED.includes(status)) throw unexpectedStatus(PEER, status);
    const verdicts = verdictsOf(body);
    if (verdicts.size !== addresses.length) throw unreadable('another number of verdicts');
    return allAnswered(
      addresses.filter((address) => {
        const verdict = verdicts.get(address);
        if (verdict === undefined) throw unreadable('no verdict for an address');
        return verdict;
      }),
    );
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

const basic = (key: string): string => `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`;

const unreadable = (what: string): PeerError =>
  new PeerError(PEER, 'unreadable', `answered with ${what}`);

/** Verdicts by lower-case address. An address with two verdicts is sanctioned if one says so. */
function verdictsOf(body: unknown): Map<string, boolean> {
  if (!Array.isArray(body)) throw unreadable('no list');
  const verdicts = new Map<string, boolean>();
  for (const entry of body as unknown[]) {
    if (!isVerdict(entry)) throw unreadable('an entry that is no verdict');
    const address = entry.address.toLowerCase();
    verdicts.set(address, entry.isSanctioned || verdicts.get(address) === true);
  }
  return verdicts;
}

const isVerdict = (entry: unknown): entry is { address: string; isSanctioned: boolean } =>
  typeof entry === 'object' &&
  entry !== null &&
  'address' in entry &&
  typeof entry.address === 'string' &&
  'isSanctioned' in entry &&
  typeof entry.isSanctioned === 'boolean';
