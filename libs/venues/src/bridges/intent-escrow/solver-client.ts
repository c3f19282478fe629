import { GuardedClient, unexpectedStatus } from '@bascule/json-client';
import type { Address } from 'viem';
import { BridgeRefusedError } from '../bridge.js';
import { readQuote, readRefusal, readRoutes } from './solver-answers.js';
import type { SolverQuote, SolverRoute } from './solver-answers.js';

export interface SolverClientOptions {
  /** Name of the bridge in refusals. */
  bridge: string;
  url: string;
  apiKey: string;
  timeoutMs?: number;
}

export interface SolverQuoteRequest {
  originChainId: number;
  destinationChainId: number;
  inputToken: Address;
  outputToken: Address;
  amount: bigint;
}

/** Status of a valid request that the solver refuses. */
const REFUSED = 422;
const TIMEOUT_MS = 5_000;

/** Client of the API of `apps/solver`. */
export class SolverClient {
  private readonly http: GuardedClient;

  constructor(private readonly options: SolverClientOptions) {
    const { bridge, url, apiKey, timeoutMs } = options;
    this.http = new GuardedClient({
      peer: peerName(bridge),
      baseUrl: url,
      headers: { authorization: `Bearer ${apiKey}` },
      timeoutMs: timeoutMs ?? TIMEOUT_MS,
    });
  }

  async routes(signal?: AbortSignal): Promise<SolverRoute[]> {
    const { status, body } = await this.http.get('v1/routes', signal);
    if (status !== 200) throw this.unexpected(status);
    return readRoutes(body);
  }

  /** @throws BridgeRefusedError when the solver refuses the request */
  async quote(request: SolverQuoteRequest, signal?: AbortSignal): Promise<SolverQuote> {
    const { status, body } = await this.http.post(
      'v1/quotes',
      {
        origin_chain_id: request.originChainId,
        destination_chain_id: request.destinationChainId,
        input_token: request.inputToken,
        output_token: request.outputToken,
        amount: request.amount.toString(),
      },
      signal,
    );
    if (status === REFUSED) {
      const { message, limits } = readRefusal(body);
      throw new BridgeRefusedError(this.options.bridge, message, limits);
    }
    if (status !== 200) throw this.unexpected(status);
    return readQuote(body);
  }

  private unexpected(status: number): Error {
    return unexpectedStatus(peerName(this.options.bridge), status);
  }
}

const peerName = (bridge: string): string => `solver of ${bridge}`;
