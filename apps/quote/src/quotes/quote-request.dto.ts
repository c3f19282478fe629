import {
  FEATURES,
  PAYMENT_METHODS,
  TEST_OUTCOMES,
  type Feature,
  type PaymentMethod,
  type TestOutcome,
} from '@bascule/contracts';
import {
  IsAsset,
  IsDecimalAmount,
  IsEvmAddress,
  IsFiatCode,
  IsHexBytes,
  IsNested,
  IsNestedArray,
  IsNestedOneOf,
  IsProviderName,
  IsUuid,
} from '@bascule/validation';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsIP,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { MAX_ACTIONS } from './custom-action-problems.js';
import { MAX_HOPS } from './hop-problems.js';

const MAX_ITEMS = 32;
const MAX_TEXT = 255;

/** Amount of an asset. */
class AssetAmountDto {
  @IsAsset()
  asset!: string;

  @IsDecimalAmount()
  amount!: string;
}

/** Unsigned decimal integer; 256 bits have at most 78 digits. */
const WEI = /^(0|[1-9][0-9]{0,77})$/;

/** Call of a contract on the last chain. */
class CustomActionDto {
  @IsIn(['CallImmediateAction'])
  type!: 'CallImmediateAction';

  @IsEvmAddress()
  target!: string;

  @Matches(WEI, { message: '$property must be an amount in wei' })
  value!: string;

  @IsHexBytes()
  calldata!: string;
}

/** Calls that run after the conversion, in one transaction with it. */
class CustomActionsDto {
  @IsNestedArray(() => CustomActionDto)
  @ArrayMaxSize(MAX_ACTIONS)
  actions!: CustomActionDto[];

  @Matches(WEI, { message: '$property must be an amount of gas' })
  user_estimated_gas!: string;
}

const KINDS = ['FIXED_INPUT', 'FIXED_OUTPUT'];

/** Request by what the user pays. */
class FixedInputRequestDto {
  @IsIn(KINDS)
  kind!: 'FIXED_INPUT';

  @IsNested(() => AssetAmountDto)
  fixed_input_amount!: AssetAmountDto;

  @IsAsset()
  output_asset!: string;

  @IsOptional()
  @IsEvmAddress()
  dest_address?: string;

  @IsOptional()
  @IsNested(() => CustomActionsDto)
  custom_actions?: CustomActionsDto;
}

/** Request by what the destination receives. */
class FixedOutputRequestDto {
  @IsIn(KINDS)
  kind!: 'FIXED_OUTPUT';

  @IsNested(() => AssetAmountDto)
  fixed_output_amount!: AssetAmountDto;

  @IsAsset()
  input_asset!: string;

  @IsOptional()
  @IsEvmAddress()
  dest_address?: string;

  @IsOptional()
  @IsNested(() => CustomActionsDto)
  custom_actions?: CustomActionsDto;
}

/** Place of the end user. */
class GeolocationDto {
  /** Country: ISO 3166-1 alpha-3 code, upper case. */
  @Matches(/^[A-Z]{3}$/, { message: '$property must be an ISO 3166-1 alpha-3 code' })
  alpha3_country_code!: string;
}

/** Fields of every quote request beside its amounts. */
export class QuoteOptionsDto {
  @IsOptional()
  @IsFiatCode()
  price_currency?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @IsProviderName({ each: true })
  onramps?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @IsIn(PAYMENT_METHODS, { each: true })
  onramp_methods?: PaymentMethod[];

  @IsOptional()
  @IsIP()
  customer_ip_address?: string;

  @IsOptional()
  @IsNested(() => GeolocationDto)
  customer_geolocation?: GeolocationDto;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT)
  customer_id?: string;

  @IsOptional()
  @IsUuid()
  parent_payment_id?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT)
  label?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @IsString({ each: true })
  @MaxLength(MAX_TEXT, { each: true })
  tags?: string[];

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT)
  rev_share_name?: string;

  @IsOptional()
  @IsBoolean()
  allow_unsafe_transfer_out?: boolean;

  @IsOptional()
  @IsBoolean()
  show_all_issues?: boolean;

  @IsOptional()
  @IsBoolean()
  allow_unsafe_slippage?: boolean;

  @IsOptional()
  @IsBoolean()
  allow_exceed_max_input_limit?: boolean;

  @IsOptional()
  @IsBoolean()
  use_intent_refund?: boolean;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_HOPS)
  @IsString({ each: true })
  @MaxLength(MAX_TEXT, { each: true })
  hops?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ITEMS)
  @IsIn(FEATURES, { each: true })
  features?: Feature[];

  @IsOptional()
  @IsIn(TEST_OUTCOMES)
  test_outcome?: TestOutcome;
}

/** Body of `POST /payments/quotes`; `request-problems.ts` checks it against catalogue and providers. */
export class QuoteRequestDto extends QuoteOptionsDto {
  @IsNestedOneOf('kind', {
    FIXED_INPUT: FixedInputRequestDto,
    FIXED_OUTPUT: FixedOutputRequestDto,
  })
  request!: FixedInputRequestDto | FixedOutputRequestDto;
}
