import type { WithdrawAccount } from '@bascule/contracts';
import { IsEvmAddress, IsNestedArray, IsUuid } from '@bascule/validation';
import { ArrayMaxSize, ArrayMinSize, IsIn, IsOptional } from 'class-validator';
import { TokenAmountDto } from '../requests/token-amount.dto.js';

const MAX_TOKENS = 20;

/** Withdrawal to prepare. */
export class WithdrawDto {
  /** Payment to withdraw from. */
  @IsUuid()
  payment_id!: string;

  /** Amounts as `POST /payments/balances` tells them. */
  @IsNestedArray(() => TokenAmountDto)
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_TOKENS)
  token_amounts!: TokenAmountDto[];

  /** Wallet of the owner, or for a retry the new payment's deposit address. */
  @IsEvmAddress()
  recipient_address!: string;

  /**
   * `withdraw_account` of the balance.
   * @default "SPW"
   */
  @IsOptional()
  @IsIn(['INTENT', 'SPW', 'RDW'])
  withdraw_account?: WithdrawAccount;
}
