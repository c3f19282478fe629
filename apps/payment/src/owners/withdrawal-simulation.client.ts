import { attemptCalls, holdingsOverride, TokenNotOverridableError } from '@bascule/chain';
import type { CallOutcome, Chain, Holding } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { canonicalSignature, oneTimeWalletAbi, withdrawalSteps } from '@bascule/solidity';
import type { Declaration, ServiceAuthorization, WithdrawalStep } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { BaseError, decodeErrorResult, isAddressEqual, size, slice } from 'viem';
import type { Address, Hex, StateOverride } from 'viem';
import { readChain } from './read-chain.client.js';

/** Limit of a withdrawal that the service submits. */
const MAX_GAS = 3_000_000n;

export interface SignedWithdrawal {
  declaration: Declaration;
  authorization: ServiceAuthorization;
  signature: Hex;
  /** Deposit that the wallet holds in the simulation. */
  deposit: Holding;
}

/** `signature`: not the owner's. `expired`: the chain's clock is past the nonce's expiry. */
export type SimulationOutcome = 'accepted' | 'signature' | 'expired' | 'refused';

/** Simulates a signed withdrawal as its transaction would run, with a wallet that is deployed and funded. */
@Injectable()
export class WithdrawalSimulationClient {
  constructor(private readonly context: ServiceContext) {}

  /** @throws ServiceError 503 while the chain cannot be read */
  async simulate(
    chain: Chain,
    { declaration, authorization, signature, deposit }: SignedWithdrawal,
  ): Promise<SimulationOutcome> {
    const canonical = canonicalSignature(signature);
    const steps = stepsOf(declaration, authorization, canonical, deposit);
    if (steps === null) return 'signature';
    const stateOverride = await readChain(chain.name, this.funded(chain, deposit));
    const outcomes = await readChain(
      chain.name,
      attemptCalls(chain, steps, { gas: MAX_GAS, stateOverride }),
    );
    const [deployment, withdrawal] = outcomes.slice(-2);
    // A call to an address without code succeeds.
    if (!deployment || !withdrawal || !hasDeployed(deployment, deposit.account)) return 'refused';
    return withdrawal.success ? 'accepted' : refusalOf(withdrawal.data);
  }

  /** A withdrawal without actions succeeds with an empty wallet too. */
  private async funded(chain: Chain, deposit: Holding): Promise<StateOverride> {
    try {
      return await holdingsOverride(chain, [deposit]);
    } catch (error) {
      if (!(error instanceof TokenNotOverridableError)) throw error;
      const { token } = error;
      this.context.logger.warn({ chain: chain.name, token }, 'withdrawal simulated without money');
      return [];
    }
  }
}

/** Null for bytes that only look like an ERC-6492 signature. */
function stepsOf(
  declaration: Declaration,
  authorization: ServiceAuthorization,
  signature: Hex,
  { account }: Holding,
): WithdrawalStep[] | null {
  try {
    return withdrawalSteps(declaration, authorization, signature, account);
  } catch (error) {
    if (error instanceof BaseError) return null;
    throw error;
  }
}

const hasDeployed = ({ success, data }: CallOutcome, wallet: Address): boolean =>
  success && size(data) === 32 && isAddressEqual(slice(data, 12), wallet);

function refusalOf(data: Hex): SimulationOutcome {
  try {
    const { errorName } = decodeErrorResult({ abi: oneTimeWalletAbi, data });
    if (errorName === 'WrongSignature') return 'signature';
    return errorName === 'AuthorizationDead' ? 'expired' : 'refused';
  } catch {
    return 'refused';
  }
}
