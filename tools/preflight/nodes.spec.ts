import { chainDefinitions, type ConfiguredChain } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { subjectOf, usedNodes } from './nodes.js';
import { deploymentOf, environmentsWith } from './testing/deployment.fixture.js';

function configured(others: Partial<ConfiguredChain>): ConfiguredChain {
  const definition = chainDefinitions['alphanet'];
  if (definition === undefined) throw new Error('expected the chain alphanet');
  return { definition, rpcUrls: [], ...others };
}

describe('the nodes of a deployment', () => {
  it('are listed once for all services, with numbers in place of their URLs', () => {
    const { quote = {}, payment = {} } = environmentsWith({
      RPC_URLS_ALPHANET: 'http://one.example,http://two.example',
    });
    const withdrawal = { ...environmentsWith()['withdrawal'] };
    withdrawal['RPC_URLS_ALPHANET'] = 'http://two.example';
    const nodes = usedNodes(deploymentOf({ quote, payment, withdrawal }));
    expect(nodes.map(subjectOf)).toEqual(['alphanet node 1 (quote, payment)', 'alphanet node 2']);
    expect(nodes.map(({ chain }) => chain.rpcUrls)).toEqual([
      ['http://one.example'],
      ['http://two.example'],
    ]);
  });

  it('are listed for each set of contracts that services use there', () => {
    const { quote = {}, payment = {} } = environmentsWith({
      CHAINS: 'sepolia',
      RPC_URLS_SEPOLIA: 'http://one.example',
    });
    const other = { ...payment, EXECUTOR_CONTRACT: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' };
    expect(usedNodes(deploymentOf({ quote, payment: other })).map(subjectOf)).toEqual([
      'sepolia node 1 (quote)',
      'sepolia node 1 (payment)',
    ]);
  });

  it('include those that only take transactions, apart from the others', () => {
    const chain = configured({
      rpcUrls: ['http://one.example'],
      privateRpcUrls: ['http://private.example'],
    });
    const chainsOnly = { chains: [chain] };
    expect(usedNodes(deploymentOf({}, { chainsOnly })).map(subjectOf)).toEqual([
      'alphanet node 1',
      'alphanet private node 1',
    ]);
  });
});
