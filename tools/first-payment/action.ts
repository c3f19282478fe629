import { parseTokenIdentifier, type CustomActions, type Payment } from '@bascule/contracts';
import { developmentAddresses, developmentVaultAbi } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, type Address } from 'viem';
import { check, checkEqual } from './check.js';
import { quoteAndConfirm, reaches } from './payments.js';
import { fund } from './swap.js';
import { newTestUserWith, type Stage } from './test-user.js';

const GIVE = { symbol: 'WETH', amount: '0.05' };
const DEPOSIT = '100';

/** Converts, deposits part of the output into a vault (ERC-4626) and pays the rest; returns the completed payment. */
export async function runAction(stage: Stage): Promise<Payment> {
  const { api, chain, timeline, webhooks } = stage;
  const usdc = chain.token('USDC');
  timeline.title(
    `action: ${GIVE.amount} ${GIVE.symbol} to USDC on ${chain.name}, ${DEPOSIT} of them into a vault`,
  );
  const user = await newTestUserWith(chain, chain.token(GIVE.symbol), GIVE.amount);
  const assets = await chain.units(usdc, DEPOSIT);
  const { quote, payment } = await quoteAndConfirm(api, {
    input: { asset: chain.token(GIVE.symbol), amount: GIVE.amount },
    output: usdc,
    owner: user.owner.address,
    destination: user.destination,
    customActions: depositing(assets, user.destination),
  });
  const pieces = quote.route.at(-1)?.pieces_info.filter(({ type }) => type === 'custom_call');
  checkEqual('the route shows both calls', pieces?.length, 2);
  timeline.event('quoted', `${quote.output_amount.amount} USDC, ${quote.fees.total_fees} fees`);
  timeline.event('confirmed', `payment ${payment.payment_id}`);
  timeline.event('funded by the owner', await fund(stage, user, payment));

  const completed = await reaches(api, payment.payment_id, 'COMPLETE');
  const shares = await chain.client.readContract({
    address: developmentAddresses.usdcVault,
    abi: developmentVaultAbi,
    functionName: 'balanceOf',
    args: [user.destination],
  });
  check('the destination holds the vault shares', shares > 0n, { shares });
  checkEqual('of the whole deposit', await assetsOf(stage, shares), assets);
  const rest = await chain.balance(usdc, user.destination);
  check('the destination holds the rest', rest > 0n, { rest });
  timeline.event('COMPLETE', completed.fulfilled.route.at(-1)?.transaction_hash ?? '');
  timeline.holds(`the destination holds ${shares} shares of the vault for ${DEPOSIT} USDC`);
  timeline.holds(`and the rest, ${await chain.amount(usdc, rest)} USDC`);
  await webhooks.waitFor(payment.payment_id, 'COMPLETE');
  timeline.event('webhook', 'WORKFLOW_COMPLETED, signed over its raw body');
  return completed;

  function depositing(amount: bigint, receiver: Address): CustomActions {
    const { usdcVault } = developmentAddresses;
    const approve = { abi: erc20Abi, functionName: 'approve', args: [usdcVault, amount] } as const;
    const deposit = {
      abi: developmentVaultAbi,
      functionName: 'deposit',
      args: [amount, receiver],
    } as const;
    return {
      actions: [
        {
          type: 'CallImmediateAction',
          target: parseTokenIdentifier(usdc).address,
          value: '0',
          calldata: encodeFunctionData(approve),
        },
        {
          type: 'CallImmediateAction',
          target: usdcVault,
          value: '0',
          calldata: encodeFunctionData(deposit),
        },
      ],
      user_estimated_gas: '250000',
    };
  }
}

const assetsOf = ({ chain }: Stage, shares: bigint): Promise<bigint> =>
  chain.client.readContract({
    address: developmentAddresses.usdcVault,
    abi: developmentVaultAbi,
    functionName: 'convertToAssets',
    args: [shares],
  });
