import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { generatePrivateKey } from 'viem/accounts';
import { startStandInKms } from './stand-in-kms.fixture.js';

export interface AwsKms {
  /** Location of a new key. */
  readonly location: string;
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the emulator of AWS KMS that `AWS_KMS_EMULATOR` names, by `npm run prove -- kms`, or else our stand-in. */
export async function startAwsKms(port: number): Promise<AwsKms> {
  const { AWS_KMS_EMULATOR: emulator } = process.env;
  if (emulator !== undefined) return startEmulator(JSON.parse(emulator) as string[], port);
  const standIn = await startStandInKms({ privateKey: generatePrivateKey(), port });
  return { ...standIn, location: standIn.locations['aws-kms'] };
}

async function startEmulator([program = '', ...args]: string[], port: number): Promise<AwsKms> {
  const emulator = spawn(program, [...args, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await Promise.race([
    once(emulator.stdout, 'data'),
    once(emulator, 'exit').then(() => Promise.reject(new Error('the emulator did not start'))),
  ]);
  process.env.AWS_ACCESS_KEY_ID = 'emulated';
  process.env.AWS_SECRET_ACCESS_KEY = 'emulated';
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new KMSClient({ endpoint, region: 'eu-central-1' });
  const { KeyMetadata } = await client.send(
    new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' }),
  );
  client.destroy();
  return {
    location: `aws-kms:${KeyMetadata?.Arn ?? ''}`,
    environment: { AWS_ENDPOINT_URL_KMS: endpoint },
    async stop() {
      const exited = once(emulator, 'exit');
      emulator.stdin.end();
      await exited;
    },
  };
}
