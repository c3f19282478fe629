// Signs by an emulator of AWS KMS that shares no code with ours, through the SDK of AWS.
import { join } from 'node:path';
import { runLongIntegration } from './long-form.mjs';
import { pythonPrograms } from './python.mjs';

const VERSION = '5.2.5';

export function proveKms() {
  const python = join(pythonPrograms('moto', VERSION, ['kms', 'server']), 'python');
  const emulator = [python, join(import.meta.dirname, 'kms/aws_kms.py')];
  process.env.AWS_KMS_EMULATOR = JSON.stringify(emulator);
  return runLongIntegration('kms', 'libs/signers/src/aws-kms.int-spec.ts');
}
