// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IFillOracle, Outcome} from "./interfaces/IFillOracle.sol";
import {AttestationHash} from "./libraries/AttestationHash.sol";

/// @notice Accepts an outcome that a quorum of k of n attesters has signed; both are fixed at deployment. The quorum is
/// more than half, so two outcomes of one order would need a dishonest attester.
contract AttesterOracle is IFillOracle {
    /// @notice Number of signatures needed: the quorum.
    uint256 public immutable threshold;
    /// @notice Whether the account is an attester.
    mapping(address account => bool) public isAttester;

    mapping(bytes32 orderId => Outcome) private _outcomes;
    mapping(bytes32 orderId => address) private _fillers;

    /// @notice The order's outcome was recorded.
    event Attested(bytes32 indexed orderId, Outcome outcome, address indexed filler);

    /// @notice The quorum is not more than half of the attesters, or exceeds their number.
    error UselessThreshold();
    /// @notice An attester is listed twice, out of order, or is the zero address.
    error UnorderedAttesters();
    /// @notice Fewer signatures than the quorum.
    error TooFewSignatures();
    /// @notice A signer is not an attester, or the signers are not in ascending order.
    error UnknownSigner(address signer);
    /// @notice The outcome is neither `Filled` with a filler nor `Unfilled` without one.
    error MeaninglessOutcome();
    /// @notice The order's outcome is already recorded.
    error AlreadyAttested();

    /// @param attesters In ascending order.
    constructor(address[] memory attesters, uint256 threshold_) {
        if (threshold_ * 2 <= attesters.length || threshold_ > attesters.length) revert UselessThreshold();
        threshold = threshold_;
        address last = address(0);
        for (uint256 i = 0; i < attesters.length; i++) {
            if (attesters[i] <= last) revert UnorderedAttesters();
            last = attesters[i];
            isAttester[last] = true;
        }
    }

    /// @notice Records the outcome that attesters saw on the order's destination chain. Anyone may submit it, once.
    /// @param filler Account that is owed the order's input; zero when unfilled.
    /// @param signatures By ECDSA, in ascending order of the signers.
    function attest(bytes32 orderId, Outcome outcome, address filler, bytes[] calldata signatures) external {
        if (outcome == Outcome.Unknown || (outcome == Outcome.Filled) == (filler == address(0))) {
            revert MeaninglessOutcome();
        }
        if (_outcomes[orderId] != Outcome.Unknown) revert AlreadyAttested();
        if (signatures.length < threshold) revert TooFewSignatures();
        bytes32 digest = AttestationHash.digest(orderId, outcome, filler, address(this));
        address last = address(0);
        for (uint256 i = 0; i < signatures.length; i++) {
            address signer = ECDSA.recoverCalldata(digest, signatures[i]);
            if (signer <= last || !isAttester[signer]) revert UnknownSigner(signer);
            last = signer;
        }
        (_outcomes[orderId], _fillers[orderId]) = (outcome, filler);
        emit Attested(orderId, outcome, filler);
    }

    /// @inheritdoc IFillOracle
    function outcomeOf(bytes32 orderId) external view returns (Outcome outcome, address filler) {
        return (_outcomes[orderId], _fillers[orderId]);
    }
}
