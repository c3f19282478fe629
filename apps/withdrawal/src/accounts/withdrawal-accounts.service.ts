import { invalidField } from '@bascule/contracts';
import type { WithdrawAccount } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { EscrowAccount } from './escrow/escrow-account.service.js';
import { WalletAccount } from './wallet/wallet-account.service.js';
import type { WithdrawalAccount } from './withdrawal-account.js';

@Injectable()
export class WithdrawalAccounts {
  private readonly accounts: Partial<Record<WithdrawAccount, WithdrawalAccount>>;

  constructor(wallet: WalletAccount, escrow: EscrowAccount) {
    this.accounts = { SPW: wallet, INTENT: escrow };
  }

  /** @throws ServiceError for those that no payment has */
  of(account: WithdrawAccount): WithdrawalAccount {
    const found = this.accounts[account];
    if (found === undefined) {
      throw invalidField(['withdraw_account'], 'The payment has no such account.');
    }
    return found;
  }
}
