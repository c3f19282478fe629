import { IsEvmAddress, IsUuid } from '@bascule/validation';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { ClientRedirectAfter } from '../life-cycle/payment-record.js';

/** The initial form of `POST /payments/confirm`. */
export class ConfirmPaymentDto {
  /** Id of the quote. */
  @IsUuid()
  payment_id!: string;

  /** `state_token` of the quotes. */
  @IsString()
  state_token!: string;

  /** Address that the payment is sent from, which alone can withdraw. */
  @IsEvmAddress()
  owner_address!: string;

  /** Address that the payment pays out to. */
  @IsEvmAddress()
  destination_address!: string;

  /** Chain of an owner that is a contract. */
  @IsOptional()
  @IsString()
  owner_chain?: string;

  /** Page to return to after a checkout; not `javascript:`, `data:`, `blob:` or `vbscript:`. */
  @IsOptional()
  @IsString()
  @MaxLength(2_048)
  client_redirect_url?: string;

  /** Time of the return: once the payment is funded, once it is complete, or when the checkout is done. */
  @IsOptional()
  @IsIn(['COMPLETED', 'FUNDED'])
  client_redirect_after?: ClientRedirectAfter;

  /** Minutes until `initiate_fund_by`; 10 by default. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(60)
  payment_expiration_minutes?: number;

  /** Accepts an owner that may be unable to sign. */
  @IsOptional()
  @IsBoolean()
  allow_unsafe_owner?: boolean;

  /** Demands a signed withdrawal, which is only simulated. */
  @IsOptional()
  @IsBoolean()
  simulate_withdrawal?: boolean;
}
