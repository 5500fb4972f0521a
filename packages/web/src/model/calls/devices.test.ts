import { expect, it } from 'vitest';
import { cameraProblem, microphoneProblem } from './devices.ts';

it('[R2.10] Each error of the browser is named as a problem of the microphone or the camera', () => {
  const names = ['NotAllowedError', 'SecurityError', 'NotFoundError', 'OverconstrainedError', 'NotReadableError', 'AbortError'];
  expect(names.map(microphoneProblem)).toEqual([
    'refused',
    'refused',
    'noMicrophone',
    'noMicrophone',
    'microphoneInUse',
    'microphoneInUse',
  ]);
  expect(names.map(cameraProblem)).toEqual([
    'cameraRefused',
    'cameraRefused',
    'noCamera',
    'noCamera',
    'cameraInUse',
    'cameraInUse',
  ]);
});
