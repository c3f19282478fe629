import { Chains } from '@bascule/chain';
import { PeerError } from '@bascule/json-client';
import { createBridges, type Bridge } from '@bascule/venues';
import type { Check, Outcome } from '../finding.js';
import { ok, unknown, wrong } from '../finding.js';
import { validServices } from '../deployment.js';

/** Bridges accept our credentials and have routes now. */
export const bridges: Check = {
  name: 'bridges',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts: { bridges: config = [], chains } }) =>
      chains === undefined
        ? []
        : createBridges(config, new Chains(chains)).map((bridge) => ({
            subject: `${name} ${bridge.name}`,
            read: (signal: AbortSignal) => outcomesOf(bridge, signal),
          })),
    ),
};

async function outcomesOf(bridge: Bridge, signal: AbortSignal): Promise<readonly Outcome[]> {
  try {
    const routes = await bridge.routes({ signal });
    return routes.length > 0
      ? [ok(`${routes.length} routes`)]
      : [wrong('no routes', 'compare CHAINS and contracts with those of the solver')];
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    return error.retryable
      ? [unknown(error.message, 'try again; then check solver_url of its entry in BRIDGES')]
      : [wrong(error.message, 'correct solver_url and api_key of its entry in BRIDGES')];
  }
}
