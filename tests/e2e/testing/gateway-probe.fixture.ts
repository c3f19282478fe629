import { setTimeout as delay } from 'node:timers/promises';
import { causeOf } from '../../chaos/client/retrying-api.js';
import type { Api } from '../../../tools/first-payment/api.js';

export interface ProbeRequest {
  path: string;
  query?: Record<string, string>;
}

export interface ProbeResult {
  requests: number;
  /** Requests without a 200, with the reason. */
  failures: string[];
}

const PAUSE_MS = 20;

/** A client without retries, which detects every failure at the gateway. */
export class GatewayProbe {
  private requests = 0;
  private readonly failures: string[] = [];
  private isRunning = true;
  private readonly running: Promise<unknown>;

  private constructor(
    private readonly api: Api,
    requests: readonly ProbeRequest[],
  ) {
    this.running = Promise.all(requests.map((request) => this.repeat(request)));
  }

  static start(api: Api, requests: readonly ProbeRequest[]): GatewayProbe {
    return new GatewayProbe(api, requests);
  }

  async stop(): Promise<ProbeResult> {
    this.isRunning = false;
    await this.running;
    return { requests: this.requests, failures: this.failures };
  }

  private async repeat({ path, query }: ProbeRequest): Promise<void> {
    while (this.isRunning) {
      const failure = await this.api
        .request('GET', path, query ? { query } : {})
        .then(
          ({ status, body }) => (status === 200 ? null : `${status} ${JSON.stringify(body)}`),
          causeOf,
        );
      this.requests += 1;
      if (failure !== null) this.failures.push(`${new Date().toISOString()} ${path}: ${failure}`);
      await delay(PAUSE_MS);
    }
  }
}
