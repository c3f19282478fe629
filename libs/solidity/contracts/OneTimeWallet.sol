// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IConverter} from "./interfaces/IConverter.sol";
import {IOneTimeWallet} from "./interfaces/IOneTimeWallet.sol";
import {AuthorizationHash} from "./libraries/AuthorizationHash.sol";
import {Calls} from "./libraries/Calls.sol";
import {Currency} from "./libraries/Currency.sol";
import {DeclarationHash} from "./libraries/DeclarationHash.sol";
import {WithdrawalNonce} from "./libraries/WithdrawalNonce.sol";
import {Call, Declaration, Leg} from "./types/Declaration.sol";
import {ServiceAuthorization} from "./types/ServiceAuthorization.sol";

/// @notice The code behind every wallet: a wallet is a clone whose one immutable argument is its declaration's hash.
contract OneTimeWallet is IOneTimeWallet {
    using Calls for Call[];
    using Currency for address;
    using DeclarationHash for Declaration;
    using AuthorizationHash for ServiceAuthorization;
    using WithdrawalNonce for uint256;

    /// @dev A signature names its declaration, the declaration its factory: no other factory's wallet honours it.
    address public immutable factory;
    IConverter public immutable converter;

    /// @dev One flag is enough because a declaration has one leg for each chain, and so it holds that bound itself.
    bool public legExecuted;
    bool public executorEnded;
    mapping(uint256 nonce => bool) public nonceUsed;

    constructor(IConverter converter_) {
        factory = msg.sender;
        converter = converter_;
    }

    receive() external payable {}

    /// @inheritdoc IOneTimeWallet
    function execute(
        Declaration calldata declaration,
        uint256 leg,
        uint256 amount,
        uint256[] calldata fees,
        Call[] calldata calls
    ) external {
        _requireOwn(declaration);
        if (msg.sender != declaration.executor) revert NotExecutor();
        if (block.timestamp >= declaration.expiry) revert DeclarationExpired();
        if (executorEnded) revert ExecutorEnded();
        if (legExecuted) revert LegAlreadyExecuted();
        if (leg >= declaration.legs.length) revert UnknownLeg();
        Leg calldata current = declaration.legs[leg];
        if (current.chainId != block.chainid) revert WrongChain();
        if (current.bridgeAdapter != address(0)) revert BridgingNotSupported();
        legExecuted = true;

        _requireWithinLimits(current, amount, fees);
        uint256[] memory paidFees = _payFees(current, fees);
        uint256 output = _payOut(current, declaration.destination, amount, calls);
        emit LegExecuted(leg, amount, paidFees, output);
    }

    /// @inheritdoc IOneTimeWallet
    function withdraw(
        Declaration calldata declaration,
        ServiceAuthorization calldata authorization,
        bytes calldata signature
    ) external {
        bytes32 hash = _requireOwn(declaration);
        uint256 nonce = authorization.nonce;
        if (authorization.signatory_declaration_hash != hash) revert WrongDeclaration();
        if (authorization.chain_id != block.chainid) revert WrongChain();
        if (!nonce.isWellFormed()) revert MalformedNonce();
        if (nonce.isDead()) revert AuthorizationDead();
        if (nonceUsed[nonce]) revert NonceAlreadyUsed();
        if (!_isSignedBy(declaration.owner, authorization.digest(), signature)) revert WrongSignature();

        nonceUsed[nonce] = true;
        if (authorization.accept_blame) executorEnded = true;
        emit Withdrawn(nonce, hash, authorization.accept_blame);
        authorization.actions.run();
    }

    /// @inheritdoc IOneTimeWallet
    function declarationHash() public view returns (bytes32) {
        return bytes32(Clones.fetchCloneArgs(address(this)));
    }

    function _requireOwn(Declaration calldata declaration) private view returns (bytes32 hash) {
        hash = declaration.hash();
        if (hash != declarationHash()) revert WrongDeclaration();
        if (declaration.factory != factory) revert WrongFactory();
    }

    function _requireWithinLimits(Leg calldata leg, uint256 amount, uint256[] calldata fees) private pure {
        if (fees.length != leg.fees.length) revert WrongFeeCount();
        uint256 rest = leg.maxInput;
        for (uint256 i = 0; i < fees.length; i++) {
            if (fees[i] > leg.fees[i].cap) revert FeeAboveCap(i);
            if (fees[i] > rest) revert InputAboveMaximum();
            rest -= fees[i];
        }
        if (amount > rest) revert InputAboveMaximum();
    }

    /// @dev A receiver that refuses its fee loses it; the payment goes on.
    function _payFees(Leg calldata leg, uint256[] calldata fees) private returns (uint256[] memory paid) {
        paid = new uint256[](fees.length);
        for (uint256 i = 0; i < fees.length; i++) {
            if (fees[i] != 0 && leg.inputToken.tryTransfer(leg.fees[i].receiver, fees[i])) paid[i] = fees[i];
        }
    }

    function _payOut(Leg calldata leg, address destination, uint256 amount, Call[] calldata calls)
        private
        returns (uint256)
    {
        address input = leg.inputToken;
        if (input == leg.outputToken && calls.length == 0 && leg.customCalls.length == 0) {
            return input.payOut(destination, amount, leg.minOutput);
        }
        uint256 value = amount;
        if (input != Currency.NATIVE) {
            value = 0;
            input.transfer(address(converter), amount);
        }
        return converter.convert{value: value}(leg, destination, calls);
    }

    /// @dev ECDSA first: an EIP-7702 account has code and still signs with its key.
    function _isSignedBy(address owner, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError error,) = ECDSA.tryRecoverCalldata(digest, signature);
        return (error == ECDSA.RecoverError.NoError && signer == owner)
            || SignatureChecker.isValidERC1271SignatureNowCalldata(owner, digest, signature);
    }
}
