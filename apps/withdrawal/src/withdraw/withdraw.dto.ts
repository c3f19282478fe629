import type { WithdrawAccount } from '@bascule/contracts';
import { IsEvmAddress, IsNestedArray, IsUuid } from '@bascule/validation';
import { ArrayMaxSize, ArrayMinSize, IsIn, IsOptional } from 'class-validator';
import { TokenAmountDto } from '../requests/token-amount.dto.js';

const MAX_TOKENS = 20;

export class WithdrawDto {
  @IsUuid()
  payment_id!: string;

  @IsNestedArray(() => TokenAmountDto)
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_TOKENS)
  token_amounts!: TokenAmountDto[];

  @IsEvmAddress()
  recipient_address!: string;

  @IsOptional()
  @IsIn(['INTENT', 'SPW', 'RDW'])
  withdraw_account?: WithdrawAccount;
}
