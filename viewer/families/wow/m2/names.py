"""Names of the ids in WoW models: animations, key bones, attachments, geoset groups.

Sources: AnimationData.dbc of client 3.3.5a; wowdev.wiki M2.
"""

from __future__ import annotations

ON_GROUND = """
    Stand Death Spell Stop Walk Run Dead Rise StandWound CombatWound CombatCritical ShuffleLeft
    ShuffleRight Walkbackwards Stun HandsClosed AttackUnarmed Attack1H Attack2H Attack2HL ParryUnarmed
    Parry1H Parry2H Parry2HL ShieldBlock ReadyUnarmed Ready1H Ready2H Ready2HL ReadyBow Dodge
    SpellPrecast SpellCast SpellCastArea NPCWelcome NPCGoodbye Block JumpStart Jump JumpEnd Fall
    SwimIdle Swim SwimLeft SwimRight SwimBackwards AttackBow FireBow ReadyRifle AttackRifle Loot
    ReadySpellDirected ReadySpellOmni SpellCastDirected SpellCastOmni BattleRoar ReadyAbility Special1H
    Special2H ShieldBash EmoteTalk EmoteEat EmoteWork EmoteUseStanding EmoteTalkExclamation
    EmoteTalkQuestion EmoteBow EmoteWave EmoteCheer EmoteDance EmoteLaugh EmoteSleep EmoteSitGround
    EmoteRude EmoteRoar EmoteKneel EmoteKiss EmoteCry EmoteChicken EmoteBeg EmoteApplaud EmoteShout
    EmoteFlex EmoteShy EmotePoint Attack1HPierce Attack2HLoosePierce AttackOff AttackOffPierce Sheath
    HipSheath Mount RunRight RunLeft MountSpecial Kick SitGroundDown SitGround SitGroundUp SleepDown
    Sleep SleepUp SitChairLow SitChairMed SitChairHigh LoadBow LoadRifle AttackThrown ReadyThrown
    HoldBow HoldRifle HoldThrown LoadThrown EmoteSalute KneelStart KneelLoop KneelEnd AttackUnarmedOff
    SpecialUnarmed StealthWalk StealthStand Knockdown EatingLoop UseStandingLoop ChannelCastDirected
    ChannelCastOmni Whirlwind Birth UseStandingStart UseStandingEnd CreatureSpecial Drown Drowned
    FishingCast FishingLoop Fly EmoteWorkNoSheathe EmoteStunNoSheathe EmoteUseStandingNoSheathe
    SpellSleepDown SpellKneelStart SpellKneelLoop SpellKneelEnd Sprint InFlight Spawn Close Closed Open
    Opened Destroy Destroyed Rebuild Custom0 Custom1 Custom2 Custom3 Despawn Hold Decay BowPull
    BowRelease ShipStart ShipMoving ShipStop GroupArrow Arrow CorpseArrow GuideArrow Sway DruidCatPounce
    DruidCatRip DruidCatRake DruidCatRavage DruidCatClaw DruidCatCower DruidBearSwipe DruidBearBite
    DruidBearMaul DruidBearBash DragonTail DragonStomp DragonSpit DragonSpitHover DragonSpitFly EmoteYes
    EmoteNo JumpLandRun LootHold LootUp StandHigh Impact LiftOff Hover SuccubusEntice EmoteTrain
    EmoteDead EmoteDanceOnce Deflect EmoteEatNoSheathe Land Submerge Submerged Cannibalize ArrowBirth
    GroupArrowBirth CorpseArrowBirth GuideArrowBirth EmoteTalkNoSheathe EmotePointNoSheathe
    EmoteSaluteNoSheathe EmoteDanceSpecial Mutilate CustomSpell01 CustomSpell02 CustomSpell03
    CustomSpell04 CustomSpell05 CustomSpell06 CustomSpell07 CustomSpell08 CustomSpell09 CustomSpell10
    StealthRun Emerge Cower Grab GrabClosed GrabThrown
"""


LATER = """
    ToFly ToHover ToGround FlyToFly FlyToHover FlyToGround Settle FlySettle DeathStart DeathLoop
    DeathEnd FlyDeathStart FlyDeathLoop FlyDeathEnd DeathEndHold FlyDeathEndHold Strangulate
    FlyStrangulate ReadyJoust LoadJoust HoldJoust FlyReadyJoust FlyLoadJoust FlyHoldJoust AttackJoust
    FlyAttackJoust ReclinedMount FlyReclinedMount ToAltered FromAltered FlyToAltered FlyFromAltered
    InStocks FlyInStocks VehicleGrab VehicleThrow FlyVehicleGrab FlyVehicleThrow ToAlteredPostSwap
    FromAlteredPostSwap FlyToAlteredPostSwap FlyFromAlteredPostSwap ReclinedMountPassenger
    FlyReclinedMountPassenger Carry2H Carried2H FlyCarry2H FlyCarried2H EmoteSniff EmoteFlySniff
    AttackFist1H FlyAttackFist1H AttackFist1HOff FlyAttackFist1HOff ParryFist1H FlyParryFist1H
    ReadyFist1H FlyReadyFist1H SpecialFist1H FlySpecialFist1H EmoteReadStart FlyEmoteReadStart
    EmoteReadLoop FlyEmoteReadLoop EmoteReadEnd FlyEmoteReadEnd
"""


GROUND = ON_GROUND.split()
ANIMATIONS = (*GROUND, *(f"Fly{name}" for name in GROUND), *LATER.split())
"""Animation names by id: first the animations on the ground, then the same animations in flight, then later
additions.
"""

KEY_BONES = (
    "ArmL",
    "ArmR",
    "ShoulderL",
    "ShoulderR",
    "SpineLow",
    "Waist",
    "Head",
    "Jaw",
    *(f"{finger}FingerR" for finger in ("Index", "Middle", "Pinky", "Ring")),
    "ThumbR",
    *(f"{finger}FingerL" for finger in ("Index", "Middle", "Pinky", "Ring")),
    "ThumbL",
    "$BTH",
    "$CSR",
    "$CSL",
    "_Breath",
    "_Name",
    "_NameMount",
    "$CHD",
    "$CCH",
    "Root",
    *(f"Wheel{number}" for number in range(1, 9)),
)
"""Key bone names by id."""

ATTACHMENTS = (
    "Shield",
    "HandRight",
    "HandLeft",
    "ElbowRight",
    "ElbowLeft",
    "ShoulderRight",
    "ShoulderLeft",
    "KneeRight",
    "KneeLeft",
    "HipRight",
    "HipLeft",
    "Helm",
    "Back",
    "ShoulderFlapRight",
    "ShoulderFlapLeft",
    "ChestBloodFront",
    "ChestBloodBack",
    "Breath",
    "PlayerName",
    "Base",
    "Head",
    "SpellLeftHand",
    "SpellRightHand",
    "Special1",
    "Special2",
    "Special3",
    "SheathMainHand",
    "SheathOffHand",
    "SheathShield",
    "PlayerNameMounted",
    "LargeWeaponLeft",
    "LargeWeaponRight",
    "HipWeaponLeft",
    "HipWeaponRight",
    "Chest",
    "HandArrow",
    "Bullet",
    "SpellHandOmni",
    "SpellHandDirected",
    "VehicleSeat1",
)
"""Attachment names by id."""

GEOSETS = (
    "body and hair",
    "facial hair 1",
    "facial hair 2",
    "facial hair 3",
    "gloves",
    "boots",
    "tail",
    "ears",
    "sleeves",
    "knees",
    "chest",
    "trousers",
    "tabard",
    "legs",
    "group 14",
    "cloak",
    "group 16",
    "eye glow",
    "belt",
)
"""Geoset group names; a geoset's group is its number divided by 100, rounded down."""


def animation_name(number: int, variation: int) -> str:
    """Return the name of an animation: `Stand`, or `Stand 1` for variation 1; `animation 999` for an unknown
    id.
    """
    name = ANIMATIONS[number] if number < len(ANIMATIONS) else f"animation {number}"
    return f"{name} {variation}" if variation else name


def attachment_name(number: int) -> str:
    """Return the name of an attachment: `HandRight`, or `attachment 99` for an unknown id."""
    return ATTACHMENTS[number] if number < len(ATTACHMENTS) else f"attachment {number}"


def bone_names(keys: list[int]) -> tuple[str, ...]:
    """Return a unique name for each bone, from its key bone id in `keys` or else from its number."""
    names: dict[str, None] = {}
    for number, key in enumerate(keys):
        name = KEY_BONES[key] if 0 <= key < len(KEY_BONES) else ""
        names[f"{name or 'bone'} {number}" if not name or name in names else name] = None
    return tuple(names)


def geoset_name(number: int) -> str:
    """Return the name of a geoset: `geoset 702 ears`."""
    group = number // 100
    return f"geoset {number} {GEOSETS[group]}" if 0 < group < len(GEOSETS) else f"geoset {number}"
