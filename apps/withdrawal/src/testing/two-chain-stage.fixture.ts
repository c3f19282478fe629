import { startTestChain } from '@bascule/testing';
import { startAttesters } from './attesters.fixture.js';
import { playOn } from './chain-player.fixture.js';
import { startStage } from './withdrawal-stage.fixture.js';
import type { StageOptions } from './withdrawal-stage.fixture.js';

/** Starts the service on two chains, with attesters of the orders between them. */
export async function startTwoChainStage(
  options: Pick<StageOptions, 'unpriced' | 'variables'> = {},
) {
  const chain = await startTestChain({ name: 'betanet', chainId: 31_338 });
  const betanet = playOn(chain);
  const attesters = await startAttesters(betanet);
  const stage = await startStage({ ...options, betanet: chain, attesterUrls: attesters.urls });
  return {
    stage,
    betanet,
    attesters,
    /** Until both chains' clocks show at least this time: unix seconds. */
    async passTime(until: bigint): Promise<void> {
      await betanet.passTime(until);
      await stage.passTime(until);
    },
    async stop(): Promise<void> {
      await stage.stop();
      await attesters.stop();
      await chain.stop();
    },
  };
}

export type TwoChainStage = Awaited<ReturnType<typeof startTwoChainStage>>;
