import { startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { BETA_USDC, BETA_WETH } from './a-bridged-payment.fixture.js';
import { PaymentServiceClient } from './payment-service.fixture.js';

export interface TwoChains {
  client: PaymentServiceClient;
  alphanet: TestChain;
  betanet: TestChain;
  stop: () => Promise<void>;
}

/** The payment service on two chains with a bridge whose solver does not answer. */
export async function startOnTwoChains(): Promise<TwoChains> {
  const [alphanet, betanet] = await Promise.all([
    startTestChain(),
    startTestChain({ name: 'betanet', chainId: 31338 }),
  ]);
  const escrow = { name: 'intent_escrow', adapter: 'intent-escrow' };
  const client = await PaymentServiceClient.start({
    CHAINS: 'alphanet,betanet',
    RPC_URLS_ALPHANET: alphanet.rpcUrl,
    RPC_URLS_BETANET: betanet.rpcUrl,
    BRIDGES: JSON.stringify([{ ...escrow, solver_url: 'http://127.0.0.1:9', api_key: 'key' }]),
  });
  for (const [token, decimals] of [
    [BETA_USDC, 6],
    [BETA_WETH, 18],
  ]) {
    await client.admin.query(
      `INSERT INTO assets (id, version, chain, decimals, asset, listed)
       VALUES ($1, 1, 'betanet', $2, '{}', true) ON CONFLICT DO NOTHING`,
      [token, decimals],
    );
  }
  return {
    client,
    alphanet,
    betanet,
    stop: async () => {
      await client.stop();
      await Promise.all([alphanet.stop(), betanet.stop()]);
    },
  };
}
