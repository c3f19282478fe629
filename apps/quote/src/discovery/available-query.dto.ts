import { FEATURES, type Feature } from '@bascule/contracts';
import { IsAsset, IsProviderName, IsQueryBoolean } from '@bascule/validation';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsOptional } from 'class-validator';
import { MAX_NAMES } from '../requests/unknown-names.js';

/** Parameters of both queries. */
export abstract class AvailableQueryDto {
  abstract inputs?: string[];
  abstract outputs?: string[];

  /** Onramp providers to consider; all by default. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsProviderName({ each: true })
  onramps?: string[];

  /** Offramp providers to consider; all by default. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsProviderName({ each: true })
  offramps?: string[];

  /** Routes in test that may be used. */
  @IsOptional()
  @IsArray()
  @IsIn(FEATURES, { each: true })
  features?: Feature[];

  /** Considers test networks only. */
  @IsOptional()
  @IsQueryBoolean()
  sandbox?: boolean;
}

export class AvailableOutputsQueryDto extends AvailableQueryDto {
  /** Assets that are paid with. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  inputs!: string[];

  /** Assets that are delivered. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  outputs?: string[];
}

export class AvailableInputsQueryDto extends AvailableQueryDto {
  /** Assets that are paid with. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  inputs?: string[];

  /** Assets that are delivered. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  outputs!: string[];
}
