// What a browser forgets when its customer signs out.
export function startSignOut(): void {}
