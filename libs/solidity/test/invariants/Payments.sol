// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CctpAdapter, CctpChain} from "../../contracts/CctpAdapter.sol";
import {EscrowedToken, IntentEscrow} from "../../contracts/IntentEscrow.sol";
import {OneTimeWalletFactory} from "../../contracts/OneTimeWalletFactory.sol";
import {Call, Declaration, Fee, Leg} from "../../contracts/types/Declaration.sol";
import {RefusingAccount, SmartAccount, Thief, Vault} from "../support/Actors.sol";
import {BridgeFixture} from "../support/BridgeFixture.sol";
import {BurnableToken, TokenMessenger} from "../support/TokenMessenger.sol";
import {
    BlacklistToken,
    FalseToken,
    FeeOnTransferToken,
    HookToken,
    SilentToken,
    TestToken,
    WideToken
} from "../support/Tokens.sol";
import {Intruder} from "./Intruder.sol";
import {TwoChains} from "./TwoChains.sol";

/// @notice Payments of many shapes, owners and factory versions, with wallets on both chains.
abstract contract Payments is BridgeFixture {
    struct Payment {
        bytes declaration;
        bytes32 hash;
        address payable wallet;
        uint256 ownerKey;
    }

    /// @dev Account that signs, and the key it signs with.
    struct Owner {
        address account;
        uint256 key;
    }

    uint256 internal constant MAX_PAYMENTS = 10;
    address internal constant DEAD = address(0xdead);
    uint256 private constant WIDE_UNIT = 1e24;
    uint256 private constant MAX_INPUT = 2e12;

    TwoChains internal chains;
    OneTimeWalletFactory internal secondFactory;
    CctpAdapter internal cctp;
    TokenMessenger internal messenger;
    Vault internal vault;
    Thief internal thief;
    Intruder internal intruder;

    HookToken internal hooked;
    FeeOnTransferToken internal taxed;
    BlacklistToken internal blocking;
    FalseToken internal refusing;
    WideToken internal wide;
    HookToken internal hookedThere;
    BlacklistToken internal blockingThere;
    /// @dev Token that CCTP burns and mints.
    BurnableToken internal burnable;
    BurnableToken internal burnableThere;
    TestToken[] private _tokensHere;
    TestToken[] private _tokensThere;

    address[2] internal destinations;
    /// @dev Owners: a key, a contract, and a key with code that accepts no signature.
    Owner[3] internal owners;
    /// @dev Stranger that opens orders directly at the escrow.
    Owner internal stranger;
    /// @dev Account to which owners withdraw.
    address internal home = makeAddr("home");

    Payment[] internal payments;
    /// @dev Counted from one.
    mapping(address wallet => uint256) internal paymentOf;
    /// @dev Payment of a wallet's runner, counted from one.
    mapping(address runner => uint256) internal runnerFor;

    function setUpPayments() internal {
        chains = new TwoChains();
        vm.record();
        BridgeFixture.setUp();
        chains.share(address(escrow));
        chains.share(address(oracle));
        chains.remember();
        setUpTokens();
        setUpPeople();
        deployEscrowThere();
    }

    /// @dev Tokens, of which most misbehave. Each is on one chain only.
    function setUpTokens() private {
        hooked = new HookToken();
        taxed = new FeeOnTransferToken();
        blocking = new BlacklistToken();
        refusing = new FalseToken();
        wide = new WideToken();
        burnable = new BurnableToken();
        _tokensHere = [input, output, burnable, hooked, taxed, blocking, refusing, wide, new SilentToken()];
        hookedThere = new HookToken();
        blockingThere = new BlacklistToken();
        burnableThere = new BurnableToken();
        _tokensThere = [remote, burnableThere, hookedThere, TestToken(blockingThere)];
    }

    function setUpPeople() private {
        secondFactory = new OneTimeWalletFactory(converter, runners);
        messenger = new TokenMessenger();
        CctpChain[] memory list = new CctpChain[](2);
        list[0] = CctpChain(HERE, uint32(HERE), address(burnable));
        list[1] = CctpChain(THERE, uint32(THERE), address(burnableThere));
        cctp = new CctpAdapter(messenger, 2000, list);
        vault = new Vault();
        thief = new Thief();
        intruder = new Intruder();
        vault.setStranger(intruder);
        vm.prank(admin);
        executor.setOperator(address(intruder), true);
        destinations = [makeAddr("first destination"), makeAddr("second destination")];
        (address signer, uint256 signerKey) = makeAddrAndKey("signer of a contract");
        (address delegated, uint256 delegatedKey) = makeAddrAndKey("delegated owner");
        vm.etch(delegated, address(new RefusingAccount()).code);
        owners[0] = Owner(owner, ownerKey);
        owners[1] = Owner(address(new SmartAccount(signer)), signerKey);
        owners[2] = Owner(delegated, delegatedKey);
        (stranger.account, stranger.key) = makeAddrAndKey("stranger");
        for (uint256 chain = HERE; chain <= THERE; chain++) {
            for (uint256 i = 0; i < tokenCount(chain); i++) {
                stock(tokenOf(i, chain));
            }
        }
    }

    /// @dev Funds the traders and approves the escrow.
    function stock(TestToken token) private {
        token.mint(address(market), type(uint160).max);
        address[3] memory traders = [solver, stranger.account, address(intruder)];
        for (uint256 i = 0; i < traders.length; i++) {
            token.mint(traders[i], type(uint160).max);
            vm.prank(traders[i]);
            (bool success,) = address(token).call(abi.encodeCall(token.approve, (address(escrow), type(uint256).max)));
            assertTrue(success);
        }
    }

    /// @dev Escrow at the same address, with the caps of its own chain.
    function deployEscrowThere() private {
        EscrowedToken[] memory tokens = new EscrowedToken[](1);
        tokens[0] = EscrowedToken(THERE, address(remote), ORDER_CAP, OUTSTANDING_CAP);
        bytes memory code = address(escrow).code;
        bytes memory arguments = abi.encode(FILL_WINDOW, SETTLE_WINDOW, oracle, tokens);
        chains.switchTo(THERE);
        vm.record();
        vm.etch(address(escrow), abi.encodePacked(type(IntentEscrow).creationCode, arguments));
        (bool success,) = address(escrow).call("");
        assertTrue(success);
        vm.etch(address(escrow), code);
        chains.remember();
        chains.switchTo(HERE);
    }

    function tokenOf(uint256 seed, uint256 chainId) internal view returns (TestToken) {
        return chainId == THERE ? _tokensThere[seed % _tokensThere.length] : _tokensHere[seed % _tokensHere.length];
    }

    function tokenCount(uint256 chainId) internal view returns (uint256) {
        return chainId == THERE ? _tokensThere.length : _tokensHere.length;
    }

    function declared(uint256 index) internal view returns (Declaration memory) {
        return abi.decode(payments[index].declaration, (Declaration));
    }

    function factoryOf(Declaration memory declaration) internal pure returns (OneTimeWalletFactory) {
        return OneTimeWalletFactory(declaration.factory);
    }

    /// @dev Leg of the current chain, or the nearest one.
    function legHere(Declaration memory declaration) internal view returns (uint256 index) {
        index = declaration.legs.length - 1;
        if (declaration.legs[0].chainId == block.chainid) index = 0;
    }

    /// @dev In turn a payout, a conversion, one with custom calls, and a bridge.
    function create(uint256 shape, uint256 minimum, uint256 cap) internal {
        uint256 kind = shape % 4;
        Declaration memory declaration = kind == 3 ? bridging(shape / 4, minimum) : paying(kind, shape / 4, minimum);
        Leg memory first = declaration.legs[0];
        first.fees = new Fee[](1);
        first.fees[0] = Fee(feeReceiver, cap * unitOf(first.inputToken));
        Owner memory owner_ = owners[shape / 8 % 3];
        declaration.owner = owner_.account;
        declaration.destination = destinations[shape / 16 % 2];
        declaration.factory = address(shape / 32 % 2 == 0 ? factory : secondFactory);
        declaration.expiry = block.timestamp + 1 days;
        bytes32 hash = hashOf(declaration);
        address payable wallet = payable(factoryOf(declaration).predict(hash));
        payments.push(Payment(abi.encode(declaration), hash, wallet, owner_.key));
        paymentOf[wallet] = payments.length;
        runnerFor[runners.predict(wallet)] = payments.length;
        chains.share(wallet);
    }

    function paying(uint256 kind, uint256 shape, uint256 minimum) private returns (Declaration memory declaration) {
        address from = currencyOf(shape, HERE);
        address to = kind == 0 || (kind == 2 && shape % 3 == 0) ? from : currencyOf(shape / 16, HERE);
        declaration = conversionOf(from, MAX_INPUT * unitOf(from), to, minimum * unitOf(to));
        if (kind == 2) declaration.legs[0].customCalls = depositing(to, declaration.legs[0].minOutput, shape / 7);
    }

    /// @dev Bridge by the escrow or by CCTP, in either direction.
    function bridging(uint256 shape, uint256 minimum) private returns (Declaration memory declaration) {
        bool isHome = shape / 2 % 3 == 2;
        (uint256 origin, uint256 end) = isHome ? (THERE, HERE) : (HERE, THERE);
        address from = currencyOf(shape / 4, origin);
        declaration = bridgingOf(from, MAX_INPUT * unitOf(from), minimum, minimum);
        Leg memory first = declaration.legs[0];
        Leg memory last = declaration.legs[1];
        (first.chainId, last.chainId) = (origin, end);
        if (shape % 2 == 0) {
            first.outputToken = address(isHome ? remote : output);
            last.inputToken = address(isHome || shape % 8 == 0 ? tokenOf(shape / 8, end) : remote);
        } else {
            first.bridgeAdapter = address(cctp);
            (first.outputToken, last.inputToken) =
                isHome ? (address(burnableThere), address(burnable)) : (address(burnable), address(burnableThere));
        }
        last.outputToken = shape % 5 < 3 ? last.inputToken : currencyOf(shape / 32, end);
        first.minBridged = minimum * unitOf(last.inputToken);
        last.minOutput = minimum * unitOf(last.outputToken);
        if (shape % 9 == 4) last.customCalls = depositing(last.outputToken, last.minOutput, shape / 9);
    }

    function currencyOf(uint256 seed, uint256 chainId) private view returns (address) {
        return seed % 5 == 4 ? NATIVE : address(tokenOf(seed, chainId));
    }

    /// @dev One whole token where others count in millionths.
    function unitOf(address token) internal view returns (uint256) {
        return token == address(wide) ? WIDE_UNIT : 1;
    }

    /// @dev Deposits the minimum in the vault, which gives control to the intruder, and mostly leaves allowances.
    function depositing(address token, uint256 amount, uint256 seed) private view returns (Call[] memory calls) {
        if (token == NATIVE) return one(address(vault), abi.encodeCall(Vault.depositNative, (owner)), amount);
        bytes memory approval = abi.encodeCall(IERC20.approve, (address(vault), seed % 3 == 0 ? amount : amount * 2));
        calls = joined(
            one(token, approval, 0),
            one(address(vault), abi.encodeCall(Vault.deposit, (IERC20(token), amount, owner)), 0)
        );
        if (seed % 2 == 0) return calls;
        bytes memory gift = abi.encodeCall(IERC20.approve, (address(thief), type(uint256).max));
        return joined(one(token, gift, 0), calls);
    }

    function isCustom(Leg memory leg) internal pure returns (bool) {
        return leg.customCalls.length != 0;
    }
}
