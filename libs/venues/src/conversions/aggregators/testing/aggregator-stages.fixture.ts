import { startLifi, startZeroX } from '@bascule/providers-lab';
import { developmentAddresses } from '@bascule/solidity';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals';
import type { AggregatorAdapterName } from '../aggregator-adapters.js';
import {
  API_KEY,
  LISTED,
  startAggregatorStage,
  type AggregatorStage,
  type StageOptions,
} from './aggregator-stage.fixture.js';

/** Stand-in of each aggregator; an adapter without one does not compile. */
export const AGGREGATOR_STAGES: Record<AggregatorAdapterName, StageOptions> = {
  'zero-x': {
    lists: false,
    contract: developmentAddresses.zeroXAllowanceHolder,
    startLab: (chain) => startZeroX({ chains: [chain], apiKey: API_KEY }),
  },
  lifi: {
    lists: true,
    contract: developmentAddresses.lifiDiamond,
    startLab: (chain) => startLifi({ chains: [chain], apiKey: API_KEY, tokens: LISTED }),
  },
};

/** Runs tests with each adapter, on a chain that every test finds as it was. */
export function describeEachAggregator(
  title: string,
  tests: (stageOf: () => AggregatorStage) => void,
): void {
  describe.each(Object.keys(AGGREGATOR_STAGES) as AggregatorAdapterName[])(title, (adapter) => {
    let stage: AggregatorStage;
    let snapshot: Awaited<ReturnType<AggregatorStage['client']['snapshot']>>;
    beforeAll(async () => {
      stage = await startAggregatorStage(adapter, AGGREGATOR_STAGES[adapter]);
    });
    beforeEach(async () => {
      snapshot = await stage.client.snapshot();
    });
    afterEach(async () => {
      Object.assign(stage.lab, { fault: null });
      Object.assign(stage.lab.swaps, { fault: {}, alter: undefined, requests: 0 });
      await stage.client.revert({ id: snapshot });
    });
    afterAll(() => stage.stop());

    tests(() => stage);
  });
}
