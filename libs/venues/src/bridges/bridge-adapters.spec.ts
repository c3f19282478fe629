import { describe, expect, it } from '@jest/globals';
import { BRIDGE_ADAPTERS } from './bridge-adapters.js';
import type { BridgeFactories } from './bridge-adapters.js';
import type { BridgeAdapterName } from './bridge-config.js';
import { BRIDGE_STAGES } from './testing/bridge-stages.fixture.js';
import type { BridgeStages } from './testing/bridge-stages.fixture.js';

describe('a bridge adapter', () => {
  it('has a factory and a stage for the contract suite', () => {
    expect(Object.keys(BRIDGE_STAGES)).toEqual(Object.keys(BRIDGE_ADAPTERS));
  });

  it('does not compile without its factory', () => {
    // @ts-expect-error An added adapter needs a factory.
    const factories: BridgeFactories<BridgeAdapterName | 'added'> = BRIDGE_ADAPTERS;
    expect(factories).not.toHaveProperty('added');
  });

  it('does not compile without a stage for the contract suite', () => {
    // @ts-expect-error An added adapter needs a stage.
    const stages: BridgeStages<BridgeAdapterName | 'added'> = BRIDGE_STAGES;
    expect(stages).not.toHaveProperty('added');
  });
});
