import type { Deliver } from '../deliveries.js';
import { startLabServer, type LabServer, type Route } from './lab-server.js';
import type { OrderFault } from './order-fault.js';

/** Options of every simulated party. */
export interface PartyOptions {
  /** Any free one by default. */
  port?: number;
  /** Receives webhooks. */
  callbackUrl: string;
  deliver: Deliver;
}

export interface PartyLab extends LabServer {
  /** By payment id. */
  faults: Map<string, OrderFault>;
}

interface Party {
  readonly routes: readonly Route[];
  readonly faults: Map<string, OrderFault>;
  stop(): void;
}

/** Serves a party's API, page and webhooks. */
export async function startParty(party: Party, { port = 0 }: PartyOptions): Promise<PartyLab> {
  const server = await startLabServer({ routes: party.routes, port, onStop: () => party.stop() });
  return Object.assign(server, { faults: party.faults });
}
